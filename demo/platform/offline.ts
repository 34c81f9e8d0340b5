/** The page's side of the service worker: registers it and says how far offline use is. */
import type { Offline } from '../words/states.ts'
import { trustedScript } from './trusted.ts'

/**
 * Registers the worker and reports every change; the development server has none. `ahead`: all
 * files are kept now, not only those that are used.
 */
export async function startOffline(
  ahead: boolean,
  report: (offline: Offline) => void,
): Promise<void> {
  if (!import.meta.env.PROD) return report({ state: 'off' })
  if (!('serviceWorker' in navigator)) return report({ state: 'unsupported' })
  report({ state: 'installing' })
  navigator.serviceWorker.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = readMessage(event.data)
    if (!message) return
    if (message.failed) report({ state: 'failed' })
    else if (message.kept >= message.total) report({ state: 'ready' })
    else report({ state: 'keeping', kept: message.kept, total: message.total })
  })
  try {
    await navigator.serviceWorker.register(trustedScript(`${import.meta.env.BASE_URL}sw.js`), {
      updateViaCache: 'none',
    })
    const registration = await navigator.serviceWorker.ready
    if (ahead) registration.active?.postMessage({ type: 'keep-assets' })
  } catch (error) {
    // Registration fails in private windows, with blocked site data and without a network; the page
    // works, only not offline.
    const refused =
      error instanceof DOMException &&
      ['SecurityError', 'NotSupportedError', 'InvalidStateError'].includes(error.name)
    report({
      state: navigator.serviceWorker.controller ? 'ready' : refused ? 'unsupported' : 'failed',
    })
  }
}

function readMessage(data: unknown): { kept: number; total: number; failed: boolean } | null {
  if (typeof data !== 'object' || data === null) return null
  const { type, kept, total, failed } = data as {
    type?: unknown
    kept?: unknown
    total?: unknown
    failed?: unknown
  }
  if (type !== 'assets' || typeof kept !== 'number' || typeof total !== 'number') return null
  return { kept, total, failed: failed === true }
}
