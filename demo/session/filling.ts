/** Filling corpora: the sample, what was dropped or chosen, pasted text, archives. */
import { isArchive, type Intake } from '../platform/intake.ts'
import { nameOfArchive } from '../platform/links.ts'
import { fetchSample, SAMPLE } from '../platform/sample.ts'
import { problemOf } from '../words/problems.ts'
import { words } from '../words/words.ts'
import type { Additions } from './additions.ts'
import type { Store } from './state.ts'
import { archiveInto, documentsInto } from './targets.ts'

export class Filling {
  private readonly store: Store
  private readonly additions: Additions
  private readonly fresh: (words: string, others?: readonly string[]) => string
  private looking: AbortController | null = null

  /** `fresh` gives a name that no corpus has, nor any of `others`. */
  constructor(store: Store, additions: Additions, fresh: Filling['fresh']) {
    this.store = store
    this.additions = additions
    this.fresh = fresh
  }

  async sample(): Promise<void> {
    await this.additions.take({
      corpus: SAMPLE.corpus,
      label: words().report.theSample,
      read: async (signal) => [await fetchSample(signal)],
    })
  }

  /**
   * Looks through a drop or a choice, which takes its time for a large folder, then adds what it
   * holds.
   */
  async found(
    look: (found: (files: number) => void, signal: AbortSignal) => Promise<Intake>,
  ): Promise<void> {
    const looking = new AbortController()
    this.looking = looking
    this.store.set({ found: 0, announcement: words().report.lookingThrough })
    try {
      const intake = await look((found) => {
        this.store.set({ found })
      }, looking.signal)
      this.store.set({ found: null })
      await this.intake(intake)
    } catch (error) {
      this.store.set({ found: null, corpusProblem: problemOf(error) })
    }
  }

  /** Leaves a drop aside that is still looked through. */
  stopLooking(): void {
    this.looking?.abort()
  }

  /**
   * Dropped or chosen files go into the open corpus of one's own, else into a new one named after
   * the folder.
   */
  async intake(intake: Intake): Promise<void> {
    const { files, leftAside, unreadable } = intake,
      archives = files.filter(isArchive),
      rest = files.filter((file) => !isArchive(file))
    if (files.length === 0) {
      this.additions.tell({
        label: '',
        added: 0,
        unchanged: 0,
        replaced: 0,
        leftAside,
        rejected: unreadable,
        noted: [],
      })
      return
    }
    const into = rest.length === 0 && this.additions.idle ? archiveInto(this.store.state) : null,
      [only, ...more] = archives
    if (into !== null && only !== undefined && more.length === 0) {
      await this.additions.take({
        corpus: into,
        label: only.name,
        read: () => Promise.resolve(only),
        leftAside,
        unreadable,
      })
      return
    }
    // Any other archive is a corpus of its own, named after the file.
    const named: { readonly file: File; readonly corpus: string }[] = []
    for (const file of archives)
      named.push({
        file,
        corpus: this.fresh(
          nameOfArchive(file.name),
          named.map(({ corpus }) => corpus),
        ),
      })
    await Promise.all([
      ...named.map(({ file, corpus }) => this.begin(corpus, file.name, file)),
      ...(rest.length > 0
        ? [
            this.additions.take({
              corpus: documentsInto(this.store.state, intake.folder),
              label: words().report.files(rest.length),
              read: () => Promise.resolve(rest),
              leftAside,
              unreadable,
            }),
          ]
        : []),
    ])
  }

  async text(title: string, text: string): Promise<void> {
    await this.additions.take({
      corpus: documentsInto(this.store.state, null),
      label: words().report.pasted,
      read: () => Promise.resolve([title.trim() === '' ? { text } : { title: title.trim(), text }]),
    })
  }

  /**
   * Begins `corpus` with an archive, in its turn; it ends again where nothing comes of it. `added`
   * is called once it is in.
   */
  begin(
    corpus: string,
    label: string,
    archive: File | URL,
    added: () => void = () => undefined,
  ): Promise<void> {
    return this.additions.take({
      corpus,
      label,
      read: () => Promise.resolve(archive),
      begins: true,
      added,
    })
  }

  cancel(): void {
    this.additions.cancel()
  }
}
