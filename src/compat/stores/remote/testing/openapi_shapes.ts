/**
 * The check of JSON against the types that openapi-typescript made of a server's published
 * description, read with the TypeScript parser.
 */
import { append } from '../../../../base/grown.ts'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

export interface OpenApiShapes {
  /** What is wrong with a request's body; empty where it fits. */
  request(method: string, path: string, body: unknown): string[]
  response(method: string, path: string, status: number, body: unknown): string[]
}

type Members = Map<string, ts.TypeNode>

export function openApiShapes(file: string): OpenApiShapes {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const interfaces = new Map<string, Members>()
  for (const statement of source.statements)
    if (ts.isInterfaceDeclaration(statement))
      interfaces.set(statement.name.text, membersOf(statement.members))
  const paths = interfaces.get('paths')!,
    operations = interfaces.get('operations')!
  const schemas = literal(interfaces.get('components')!.get('schemas')!)

  const operation = (method: string, path: string): Members => {
    const at = paths.get(path)
    const reference = at && literal(at).get(method.toLowerCase())
    if (!reference || !ts.isIndexedAccessTypeNode(reference))
      throw new Error(`The description has no ${method} ${path}.`)
    return literal(operations.get(keyOf(reference.indexType))!)
  }
  const check = (type: ts.TypeNode, value: unknown, where: string, format = ''): string[] => {
    const wrong = (): string[] => [
      `${where}: ${JSON.stringify(value)?.slice(0, 80)} is not ` +
        `${type.getText(source).replace(/\s+/g, ' ').slice(0, 120)}`,
    ]
    if (ts.isParenthesizedTypeNode(type)) return check(type.type, value, where, format)
    if (ts.isUnionTypeNode(type)) {
      const tries = type.types.map((one) => check(one, value, where, format))
      return (
        tries.find((problems) => problems.length === 0) ??
        (tries.length === 1
          ? tries[0]!
          : [...wrong(), ...tries.sort((a, b) => a.length - b.length)[0]!.slice(0, 1)])
      )
    }
    if (ts.isIndexedAccessTypeNode(type)) {
      const name = keyOf(type.indexType)
      const schema = schemas.get(name)
      if (!schema) throw new Error(`The description has no schema ${name}.`)
      return check(schema, value, where, format)
    }
    if (ts.isArrayTypeNode(type))
      return Array.isArray(value)
        ? value.flatMap((item, i) => check(type.elementType, item, `${where}[${i}]`)).slice(0, 3)
        : wrong()
    if (ts.isTypeLiteralNode(type)) return checkObject(type, value, where, wrong)
    if (ts.isLiteralTypeNode(type)) return literalValue(type.literal) === value ? [] : wrong()
    // Stands where the description says that a value may be null.
    if (ts.isTypeReferenceNode(type) && type.typeName.getText(source) === 'Record')
      return value === null ? [] : wrong()
    if (
      ts.isTypeReferenceNode(type) &&
      type.typeName.getText(source) === 'OneOf' &&
      type.typeArguments?.[0] &&
      ts.isTupleTypeNode(type.typeArguments[0])
    ) {
      return type.typeArguments[0].elements.some(
        (one) => check(one, value, where, format).length === 0,
      )
        ? []
        : wrong()
    }
    switch (type.kind) {
      case ts.SyntaxKind.StringKeyword:
        return typeof value === 'string' ? [] : wrong()
      case ts.SyntaxKind.BooleanKeyword:
        return typeof value === 'boolean' ? [] : wrong()
      case ts.SyntaxKind.NumberKeyword:
        return typeof value === 'number' &&
          (!format.startsWith('uint') || (Number.isInteger(value) && value >= 0))
          ? []
          : wrong()
      case ts.SyntaxKind.UnknownKeyword:
        return []
      case ts.SyntaxKind.UndefinedKeyword:
        return value === undefined ? [] : wrong()
      default:
        throw new Error(
          `${where}: the check knows no ${ts.SyntaxKind[type.kind]}: ${type.getText(source).slice(0, 120)}`,
        )
    }
  }
  const checkObject = (
    type: ts.TypeLiteralNode,
    value: unknown,
    where: string,
    wrong: () => string[],
  ): string[] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong()
    const problems: string[] = [],
      left = new Map(Object.entries(value))
    let rest: ts.TypeNode | null = null
    for (const member of type.members) {
      if (ts.isIndexSignatureDeclaration(member)) rest = member.type
      if (!ts.isPropertySignature(member) || !member.type) continue
      const name = nameOf(member.name),
        format = /Format: (\w+)/.exec(
          ts
            .getJSDocCommentsAndTags(member)
            .map((doc) => doc.getText(source))
            .join('\n'),
        )?.[1]
      if (left.has(name))
        append(problems, check(member.type, left.get(name), `${where}.${name}`, format))
      else if (!member.questionToken) problems.push(`${where}.${name} is missing`)
      left.delete(name)
    }
    for (const [name, item] of left)
      append(
        problems,
        rest
          ? check(rest, item, `${where}.${name}`)
          : [`${where}.${name} is not in the description`],
      )
    return problems
  }
  return {
    request: (method, path, body) => {
      const wanted = operation(method, path).get('requestBody')
      if (!wanted || ts.isTypeOperatorNode(wanted) || wanted.kind === ts.SyntaxKind.NeverKeyword)
        return body === undefined ? [] : ['a body where none is described']
      return check(json(wanted), body, 'request')
    },
    response: (method, path, status, body) => {
      const responses = literal(operation(method, path).get('responses')!)
      return check(
        json(
          responses.get(String(status)) ??
            responses.get(`${String(status)[0]}XX`) ??
            responses.get('default')!,
        ),
        body,
        'response',
      )
    },
  }
}

function json(type: ts.TypeNode): ts.TypeNode {
  return literal(literal(type).get('content')!).get('application/json')!
}

function literal(type: ts.TypeNode): Members {
  if (!ts.isTypeLiteralNode(type)) throw new Error(`Not an object: ${type.getText().slice(0, 80)}`)
  return membersOf(type.members)
}

function membersOf(members: ts.NodeArray<ts.TypeElement>): Members {
  const found: Members = new Map()
  for (const member of members)
    if (ts.isPropertySignature(member) && member.type) found.set(nameOf(member.name), member.type)
  return found
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name)
    ? name.text
    : name.getText()
}

function keyOf(type: ts.TypeNode): string {
  return ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? type.literal.text : ''
}

function literalValue(node: ts.LiteralTypeNode['literal']): unknown {
  if (ts.isStringLiteral(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number(node.text)
  return node.kind === ts.SyntaxKind.NullKeyword
    ? null
    : node.kind === ts.SyntaxKind.TrueKeyword
      ? true
      : node.kind === ts.SyntaxKind.FalseKeyword
        ? false
        : undefined
}
