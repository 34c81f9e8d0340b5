/** Titles of the tests of a file, as the documents name them. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** Every string that is a call's first argument or a `name:` property; what a template puts in stays as `${…}`. */
export function titlesOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    const at = ts.isCallExpression(node)
      ? node.arguments[0]
      : ts.isPropertyAssignment(node) && node.name.getText() === 'name'
        ? node.initializer
        : undefined
    const title = at === undefined ? null : textOf(at)
    if (title !== null) titles.push(title)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return titles
}

function textOf(node: ts.Expression): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return (
      node.head.text +
      node.templateSpans
        .map(({ expression, literal }) => `\${${expression.getText()}}${literal.text}`)
        .join('')
    )
  }
  if (!ts.isBinaryExpression(node)) return null
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === null || right === null ? null : left + right
}
