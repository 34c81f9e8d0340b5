/** The page's one Trusted Types policy: script URLs of this page's own origin only. */
import layoutWorkerUrl from '../graph/layout.worker.ts?worker&url'
import embedWorkerUrl from '../../workers/embed.worker.ts?worker&url'
import engineWorkerUrl from '../../workers/engine.worker.ts?worker&url'

interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy
}

function ownScript(url: string): string {
  const absolute = new URL(url, location.href)
  if (absolute.origin !== location.origin)
    throw new TypeError(`The script ${absolute.href} is not of this page's origin.`)
  return absolute.href
}

const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes
const policy: ScriptUrlPolicy = factory
  ? factory.createPolicy('hubmesh', { createScriptURL: ownScript })
  : { createScriptURL: ownScript }

/** A script URL that browsers with Trusted Types accept; a plain string where they do not exist. */
export function trustedScript(url: string): string {
  // The DOM types know no TrustedScriptURL yet; the value is passed on as it is.
  return policy.createScriptURL(url) as string
}

/** The workers of the engine, made under the page's policy. */
export const workers = {
  engine: (): Worker =>
    new Worker(trustedScript(engineWorkerUrl), { type: 'module', name: 'hubmesh-engine' }),
  embed: (): Worker =>
    new Worker(trustedScript(embedWorkerUrl), { type: 'module', name: 'hubmesh-embed' }),
}

/** The worker that lays out the map of names, made under the same policy. */
export const layoutWorker = (): Worker =>
  new Worker(trustedScript(layoutWorkerUrl), { type: 'module', name: 'hubmesh-layout' })
