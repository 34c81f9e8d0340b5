/** What e2e/faults/fixtures/start.js puts on the page besides the fixture app. */
declare global {
  var inside: typeof import('../fixtures/inside.ts')
  var insideReady: boolean | undefined
}
export {}
