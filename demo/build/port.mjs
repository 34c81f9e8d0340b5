/**
 * The port that `npm run demo` listens at: which one, whether it is free, and what to do where it is
 * not. It never goes to another unasked, since saved corpora belong to an address.
 */
import { createServer } from 'node:net'

/** The port is not Vite's own, so that a saved corpus is not shared with whatever else runs there. */
export const PORT = 4780

/**
 * The port of `--port N` or `--port=N`, else the usual one. Throws for what is no whole number from
 * 1 to 65535.
 */
export function portOf(args) {
  const at = args.findLastIndex((arg) => arg === '--port' || arg.startsWith('--port='))
  if (at < 0) return PORT
  const said = args[at] === '--port' ? args[at + 1] : args[at].slice('--port='.length),
    port = Number(said)
  if (said === undefined || !/^\d{1,5}$/.test(said) || port < 1 || port > 65535)
    throw new Error(
      `--port takes a whole number from 1 to 65535, not ${said ? JSON.stringify(said) : 'nothing'}: ` +
        `npm run demo -- --port ${PORT + 1}`,
    )
  return port
}

/** Null where the port can be listened at, else what is in the way and what to do, in words. */
export function portProblem(port) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => {
      resolve(problemWords(port, error.code ?? error.message))
    })
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      probe.close(() => {
        resolve(null)
      })
    })
  })
}

function problemWords(port, code) {
  const other = port === PORT ? PORT + 1 : PORT,
    remedy = `npm run demo -- --port ${other}`
  const apart = 'A browser saves corpora by address, so those of one port are not seen at another.'
  if (code === 'EADDRINUSE')
    return (
      `Port ${port} of this machine is taken, perhaps by a demo that still runs. ` +
      `Stop what listens there, or take another port:\n  ${remedy}\n${apart}`
    )
  return (
    `Port ${port} of this machine cannot be listened at (${code}). Take another port:\n` +
    `  ${remedy}\n${apart}`
  )
}
