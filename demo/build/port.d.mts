export const PORT: number
export function portOf(args: readonly string[]): number
export function portProblem(port: number): Promise<string | null>
