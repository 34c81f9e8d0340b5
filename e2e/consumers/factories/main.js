import { createEngine } from './hubmesh/hubmesh.js'
import { films } from './films.js'

const policy = trustedTypes.createPolicy('hubmesh', {
  createScriptURL: (file) => new URL(file, location.origin).href,
})
const worker = (role) => () =>
  new Worker(policy.createScriptURL(`/hubmesh/${role}.worker.js`), { type: 'module' })

void films(() =>
  createEngine({
    corpus: 'films',
    model: '/models/all-MiniLM-L6-v2/',
    workers: { engine: worker('engine'), embed: worker('embed') },
  }),
)
