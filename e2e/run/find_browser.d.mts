export const BROWSER_ARGS: string[]
export function findBrowser(): string | null
export function ensureBrowser(): string
