/**
 * Owns which other origins a build of the page may talk to, and that the page is told of them.
 * Refuses: any that was not named by who builds it.
 */
import type { Plugin } from 'vite'
import { checkedOrigin } from './csp.ts'

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
 * Writes them into the page, which says so where it asks for a server's address. The policy itself
 * is the server's header.
 */
export function tellOrigins(origins: readonly string[]): Plugin {
  return {
    name: 'hubmesh-demo-connect',
    transformIndexHtml: (html) =>
      html.replace(EMPTY, `<meta name="hubmesh-connect" content="${origins.join(' ')}">`),
  }
}

/** The line of index.html that is written anew. */
export const EMPTY = '<meta name="hubmesh-connect" content="">'
