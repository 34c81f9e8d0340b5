/**
 * What no source of the package may hold, read off the syntax tree, so that a comment may name it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const FOLDERS = ['src', 'workers', 'demo', 'public']
const SOURCE = /\.(ts|tsx|mjs|js)$/

/** Names that are an offence wherever they stand in code. */
const NAMES = new Map([
  ['innerHTML', 'text is data: build nodes with textContent'],
  ['outerHTML', 'text is data: build nodes with textContent'],
  ['insertAdjacentHTML', 'text is data: build nodes with textContent'],
  ['Segmenter', 'engines differ: use the rules of src/chunk and src/lexical'],
])
/** Members of one object. */
const MEMBERS = new Map([
  ['Math.random', 'same input, same output'],
  ['document.write', 'text is data'],
])
const COMMENTS = /\b(TODO|FIXME|XXX)\b|@ts-ignore|@ts-nocheck/

const findings = []
for (const folder of FOLDERS) {
  for (const file of filesOf(join(root, folder))) check(file)
}
for (const finding of findings) console.error(finding)
console.log(`check_tree: ${findings.length} findings`)
process.exit(findings.length === 0 ? 0 : 1)

function filesOf(folder) {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // Not ours: copied from onnxruntime-web.
      .filter((file) => !relative(root, file).startsWith(join('public', 'ort')))
  )
}

function check(file) {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const say = (position, what, why) => {
    const { line } = source.getLineAndCharacterOfPosition(position)
    findings.push(`${relative(root, file)}:${line + 1}: ${what}: ${why}`)
  }
  const visit = (node) => {
    if (ts.isIdentifier(node) && NAMES.has(node.text))
      say(node.getStart(), node.text, NAMES.get(node.text))
    if (ts.isPropertyAccessExpression(node)) {
      const member = `${node.expression.getText()}.${node.name.text}`
      if (MEMBERS.has(member)) say(node.getStart(), member, MEMBERS.get(member))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  const marked = COMMENTS.exec(text)
  if (marked !== null) say(marked.index, marked[0], 'finish it or file it')
}
