export const ROOT: string
export function ensureBuilt(): void
export function pack(folder: string): string
export function install(folder: string, packages: readonly string[]): void
export function runChecks(
  checks: readonly (readonly [name: string, check: () => unknown])[],
): Promise<void>
