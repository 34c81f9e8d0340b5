import { films } from './films.js'

const base = document.querySelector('base').dataset.hubmesh
const { createEngine } = await import(`${base}/hubmesh/hubmesh.js`)
// A worker's script must be of the page's origin; a module that it imports need not be.
const worker = (role) => () =>
  new Worker(
    URL.createObjectURL(
      new Blob([`import ${JSON.stringify(`${base}/hubmesh/${role}.worker.js`)}`], {
        type: 'text/javascript',
      }),
    ),
    { type: 'module' },
  )
const workers = { engine: worker('engine'), embed: worker('embed') }

void films(() =>
  createEngine({
    corpus: 'films',
    model: `${base}/models/all-MiniLM-L6-v2/`,
    ...(location.search === '?own' ? {} : { workers }),
  }),
)
