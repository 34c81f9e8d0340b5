/** Which other origins a build of the page may talk to, named by who builds it. */
import type { Plugin } from 'vite'
import { checkedOrigin, metaPolicy } from './csp.ts'

/**
 * Origins of HUBMESH_DEMO_CONNECT, between spaces or commas; none by default. Throws for what is no
 * origin.
 */
export function connectOrigins(named: string | undefined): readonly string[] {
  return (named ?? '')
    .split(/[\s,]/)
    .filter((part) => part !== '')
    .map(checkedOrigin)
}

/**
 * Writes them into the page, which says so where it asks for a server's address, with the policy
 * that allows them; the servers of this repository send it as a header besides.
 */
export function tellOrigins(origins: readonly string[]): Plugin {
  return {
    name: 'hubmesh-demo-connect',
    transformIndexHtml: (html, { server }) => told(html, origins, server === undefined),
  }
}

/** The line of index.html that is written anew. */
export const EMPTY = '<meta name="hubmesh-connect" content="">'

/** `html` with its origins, and with its policy where it is `built`; also one that has them. */
export function told(html: string, origins: readonly string[], built = true): string {
  const lines = [
    `    <meta name="hubmesh-connect" content="${origins.join(' ')}">`,
    ...(built
      ? [`    <meta http-equiv="Content-Security-Policy" content="${metaPolicy(origins)}">`]
      : []),
  ]
  return html
    .split('\n')
    .filter((line) => !line.includes('<meta http-equiv="Content-Security-Policy"'))
    .map((line) => (line.includes('<meta name="hubmesh-connect"') ? lines.join('\n') : line))
    .join('\n')
}
