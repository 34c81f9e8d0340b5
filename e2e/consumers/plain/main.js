import { createEngine } from './hubmesh/hubmesh.js'
import { films } from './films.js'

void films(() =>
  createEngine({
    corpus: 'films',
    model: new URLSearchParams(location.search).get('model') ?? '/models/all-MiniLM-L6-v2/',
  }),
)
