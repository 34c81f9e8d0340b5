/**
 * Owns the start of the page: one store, its two drivers, one tree. Refuses: any logic of its own.
 */
import { render } from 'preact'
import { Page } from './parts/page.tsx'
import { watchInstall } from './platform/install.ts'
import { readLink } from './platform/links.ts'
import { startOffline } from './platform/offline.ts'
import { Agents } from './session/agents.ts'
import { Answering } from './session/answering.ts'
import { Archives } from './session/archives.ts'
import { Asking } from './session/asking.ts'
import { Corpora } from './session/corpora.ts'
import { Store } from './session/state.ts'

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

render(
  <Page
    store={store}
    corpora={corpora}
    asking={asking}
    answering={answering}
    archives={archives}
    agents={agents}
  />,
  document.getElementById('page')!,
)
agents.start()
void corpora.start()
void startOffline((offline) => {
  store.set({ offline })
})
