import { createEngine } from 'hubmesh/inline'
import { films } from './films.js'

void films(() => createEngine({ corpus: 'films', model: '/models/all-MiniLM-L6-v2/' }))
