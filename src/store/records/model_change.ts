/** What to do where the vectors of a corpus are by another model than the one it is opened with. */
import { HubmeshError } from '../../base/errors.ts'
import type { EmbedderIdentity } from '../../types.ts'

/** `refuse`: nothing is changed; `reembed`: the vectors are dropped and made again. */
export type ModelChange = 'refuse' | 'reembed'

export function modelChanged(
  place: string,
  stored: EmbedderIdentity,
  own: EmbedderIdentity,
): HubmeshError {
  return new HubmeshError(
    'model/incompatible',
    `The vectors of ${place} are by ${shown(stored)}, and this engine has ${shown(own)}: vectors ` +
      'of two models cannot be compared. Nothing was changed. Open it with that model, or say ' +
      "onModelChange: 'reembed' to drop its vectors and embed every passage again.",
    { details: { place, stored: shown(stored), own: shown(own) } },
  )
}

function shown({ model, revision, dtype, dims, runtime }: EmbedderIdentity): string {
  const what = [revision, dtype, `${dims} numbers`, ...(runtime === undefined ? [] : [runtime])]
  return `${model} (${what.join(', ')})`
}
