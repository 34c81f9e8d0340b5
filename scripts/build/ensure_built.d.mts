export function ensureBuilt(anew?: boolean): boolean
