/** 页面的全部中文。 */
import type { Words } from '../words.ts'
import { link, models, page, problemWords, settings, share, wipe } from './page.ts'
import { missing, notDeleted, problems } from './problems.ts'
import { bars, list, refusals, report, shelf, sync } from './shelf.ts'
import { compare, developer, doc, graph, parts, side, stageNames, why } from './side.ts'
import { help, pace, states } from './states.ts'
import { ask, card, context, omissions, path, welcome, written } from './thread.ts'

export const ZH: Words = {
  ask,
  bars,
  card,
  compare,
  context,
  developer,
  doc,
  graph,
  help,
  link,
  list,
  missing,
  models,
  notDeleted,
  omissions,
  pace,
  page,
  parts,
  path,
  problems,
  problemWords,
  refusals,
  report,
  settings,
  share,
  shelf,
  side,
  stageNames,
  states,
  sync,
  welcome,
  why,
  wipe,
  written,
}
