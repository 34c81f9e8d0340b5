/** Owns the start of the page: one store, its two drivers, one tree. Refuses: any logic of its own. */
import { render } from 'preact'
import { Page } from './parts/page.tsx'
import { startOffline } from './platform/offline.ts'
import { Asking } from './session/asking.ts'
import { Corpora } from './session/corpora.ts'
import { Store } from './session/state.ts'

const store = new Store()
const corpora = new Corpora(store)
const asking = new Asking(store)

const network = (): void => { store.set({ online: navigator.onLine }) }
addEventListener('online', network)
addEventListener('offline', network)
network()

render(<Page store={store} corpora={corpora} asking={asking} />, document.getElementById('page')!)
void corpora.start()
void startOffline((offline) => { store.set({ offline }) })
