import { createEngine } from 'hubmesh'
import { films } from './films.js'

void films(() =>
  createEngine({ corpus: 'films', model: `${import.meta.env.BASE_URL}models/all-MiniLM-L6-v2/` }),
)
