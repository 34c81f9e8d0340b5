/**
 * The border where foreign arguments become values of a schema: known names, copied once, defaults
 * filled in.
 */
import { describeValue } from '../document/metadata.ts'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { ParameterSchema, ToolSchema } from './tool_schemas.ts'

export type ToolArguments = ReadonlyMap<string, string | number | readonly unknown[]>

/** Throws `input/invalid` with the argument's name, never its value. */
export function readArguments({ name, inputSchema }: ToolSchema, given: unknown): ToolArguments {
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given)))
    throw invalid(name, `takes an object of arguments, not ${describeValue(given)}`)
  const out = new Map<string, string | number | readonly unknown[]>()
  for (const [field, schema] of Object.entries(inputSchema.properties)) {
    const value: unknown =
      given !== undefined && Object.hasOwn(given, field)
        ? (given as Record<string, unknown>)[field]
        : undefined
    if (value === undefined) {
      if (inputSchema.required?.includes(field)) throw invalid(name, `needs the argument ${field}`)
      out.set(field, schema.default!)
    } else out.set(field, checked(name, field, schema, value))
  }
  return out
}

function checked(
  tool: string,
  field: string,
  schema: ParameterSchema,
  value: unknown,
): string | number | readonly unknown[] {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string')
        throw invalid(tool, `takes a string as ${field}, not ${describeValue(value)}`)
      if (value.length > LIMITS.queryChars * 4)
        throw invalid(
          tool,
          `takes at most ${LIMITS.queryChars * 4} characters as ${field}, not ${value.length}`,
        )
      return value
    case 'integer':
      if (!Number.isSafeInteger(value))
        throw invalid(tool, `takes a whole number as ${field}, not ${describeValue(value)}`)
      return value as number
    case 'array': {
      if (!Array.isArray(value))
        throw invalid(tool, `takes a list as ${field}, not ${describeValue(value)}`)
      const plain = schema.items.type === 'string'
      if (plain && value.length > LIMITS.mcpItems * 10)
        throw invalid(
          tool,
          `takes at most ${LIMITS.mcpItems * 10} entries as ${field}, not ${value.length}`,
        )
      value.forEach((item: unknown, at) => {
        if (
          plain
            ? typeof item !== 'string' || item.length > LIMITS.idChars
            : typeof item !== 'object' || item === null || Array.isArray(item)
        )
          throw invalid(
            tool,
            `takes ${plain ? `strings of at most ${LIMITS.idChars} characters` : 'objects'} in ` +
              `${field}; entry ${at} is ${describeValue(item)}`,
          )
      })
      return [...value] as unknown[]
    }
  }
}

function invalid(tool: string, what: string): HubmeshError {
  return new HubmeshError('input/invalid', `${tool} ${what}.`, { details: { tool } })
}
