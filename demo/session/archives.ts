/** Corpora as files and as links; a link is opened once a person said yes. */
import { saveFile } from '../platform/archives.ts'
import { nameOfArchive, type OpenLink } from '../platform/links.ts'
import { saveSettings } from '../platform/settings.ts'
import { corpusLabel } from '../words/corpus_name.ts'
import { words } from '../words/words.ts'
import { problemOf } from '../words/problems.ts'
import type { Asking } from './asking.ts'
import type { Corpora } from './corpora.ts'
import type { Store } from './state.ts'

export class Archives {
  private readonly store: Store
  private readonly corpora: Corpora
  private readonly asking: Asking

  constructor(store: Store, corpora: Corpora, asking: Asking) {
    this.store = store
    this.corpora = corpora
    this.asking = asking
  }

  /**
   * Opens the corpus that came from there before, else the archive; then asks the link's question.
   */
  async open(link: OpenLink): Promise<void> {
    this.store.set({ link: null })
    const known = this.knownAs(link),
      ask = (corpus: string): void => {
        if (link.question !== '' && this.store.state.corpus === corpus && this.store.state.engine)
          void this.asking.ask(link.question)
      }
    if (known !== null) {
      await this.corpora.open(known)
      ask(known)
      return
    }
    const corpus = this.corpora.fresh(nameOfArchive(new URL(link.url).pathname))
    await this.corpora.filling.begin(corpus, nameOfArchive(link.url), new URL(link.url), () => {
      const settings = {
        ...this.store.state.settings,
        origins: new Map([...this.store.state.settings.origins, [corpus, link.url]]),
      }
      saveSettings(settings)
      this.store.set({ settings })
      ask(corpus)
    })
  }

  /** The corpus of this device that was opened from the same address; null where there is none. */
  knownAs({ url }: OpenLink): string | null {
    const { settings, corpora } = this.store.state
    return (
      [...settings.origins].find(
        ([name, origin]) => origin === url && corpora.some((entry) => entry.name === name),
      )?.[0] ?? null
    )
  }

  decline(): void {
    this.store.set({ link: null })
  }

  /** Saves the open corpus as a file. */
  async save(): Promise<void> {
    const { corpus, engine, exporting } = this.store.state
    if (corpus === null || !engine || exporting) return
    this.store.set({ exporting: true })
    try {
      saveFile(await engine.export(), `${corpus}.hubmesh`)
      this.store.set({ announcement: words().report.saved(corpusLabel(corpus)) })
    } catch (error) {
      this.store.set({ corpusProblem: problemOf(error) })
    }
    this.store.set({ exporting: false })
  }
}
