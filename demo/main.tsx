/** The start of the page: one store, what drives it, one tree. */
import { render } from 'preact'
import { Page } from './parts/page.tsx'
import { watchInstall } from './platform/install.ts'
import { readLink } from './platform/links.ts'
import { connectionMetered } from './platform/metered.ts'
import { startOffline } from './platform/offline.ts'
import { saveSettings } from './platform/settings.ts'
import { Agents } from './session/agents.ts'
import { Answering } from './session/answering.ts'
import { Archives } from './session/archives.ts'
import { Asking } from './session/asking.ts'
import { Corpora } from './session/corpora.ts'
import { Store } from './session/state.ts'
import { keepThreads } from './session/threads.ts'
import { preferredLanguage, speak, type Language } from './words/words.ts'

const store = new Store()
const corpora = new Corpora(store)
const asking = new Asking(store)
const answering = new Answering(store, location.href)
const archives = new Archives(store, corpora, asking)
const agents = new Agents(store)
asking.onAnswer = () => {
  if (store.state.settings.model.kind !== 'off') void answering.write()
}

const network = (): void => {
  store.set({ online: navigator.onLine })
}
addEventListener('online', network)
addEventListener('offline', network)
network()

// A link is read once: with the address as it was, a reload would ask again.
const followLink = (): void => {
  const link = readLink(location.href)
  if (link === null) return
  history.replaceState(null, '', location.pathname + location.search)
  store.set({ link })
}
addEventListener('hashchange', followLink)
followLink()
watchInstall((installable) => {
  store.set({ installable })
})
keepThreads(store)

// The answer shown improves by itself once meaning has come to count.
store.subscribe(() => {
  void asking.improve()
})

const draw = (language: Language): void => {
  document.documentElement.lang = language
  render(
    <Page
      key={language}
      store={store}
      corpora={corpora}
      asking={asking}
      answering={answering}
      archives={archives}
      agents={agents}
      language={language}
      speak={(chosen) => {
        const settings = { ...store.state.settings, language: chosen }
        saveSettings(settings)
        store.set({ settings })
        void speak(chosen).then(draw)
      }}
    />,
    document.getElementById('page')!,
  )
}

/** A first visit begins with an example question that is asked visibly. */
const begin = async (): Promise<void> => {
  await corpora.start()
  const { corpora: saved, corpus, link, boot } = store.state
  if (boot !== 'ready' || saved.length > 0 || corpus !== null || link !== null) return
  if (!(await corpora.example())) return
  const first = store.state.suggestions[0]
  if (first !== undefined && store.state.asked === '') await asking.ask(first)
}

void speak(store.state.settings.language ?? preferredLanguage(navigator.languages)).then(
  (language) => {
    draw(language)
    agents.start()
    void begin()
    // Files for offline use are megabytes: where those cost, they come with what is used.
    void startOffline(!connectionMetered(), (offline) => {
      store.set({ offline })
    })
  },
)
