import { createEngine } from 'hubmesh/engine'
import { films } from '../films.js'

void films(() => createEngine({ corpus: 'films', model: '/models/all-MiniLM-L6-v2/' }))
