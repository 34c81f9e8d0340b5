/**
 * Import order of the rooms of `src`: a room imports, by value or by type, only from rooms below
 * it; no two files import each other in a circle.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../src')

/**
 * From the top down. A folder of a room (`store/folder`) belongs to it unless it stands here
 * itself.
 */
export const ROOMS = [
  'testing',
  'index.ts',
  'cli',
  'bench',
  'node.ts',
  'mcp',
  'entries',
  'registry',
  'rpc',
  'chat',
  'llm',
  'compat',
  'engine',
  'answer',
  'explain',
  'sentences',
  'retrieve',
  'corpus',
  'graph',
  'pack',
  'archive',
  'embed',
  'document',
  'lexical',
  'chunk',
  'vector',
  'store',
  'port',
  'types.ts',
  'types',
  'base',
]

const files = readdirSync(root, { recursive: true })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => name.split(sep).join('/'))
const imports = new Map(files.map((file) => [file, importsOf(file)]))

const MOST_FILES = 25
const MOST_IN_ROOT = 12
const findings = [
  ...upward(),
  ...circles().map((circle) => `circle: ${circle.join(' -> ')}`),
  ...crowded(),
]
for (const finding of findings) console.error(finding)
console.log(`check_rooms: ${files.length} files, ${findings.length} findings`)
process.exit(findings.length === 0 ? 0 : 1)

function upward() {
  const found = []
  for (const [file, targets] of imports) {
    const from = roomOf(file)
    if (from === -1)
      found.push(`src/${file}: its room is not in the list of scripts/check/check_rooms.mjs`)
    for (const { to, type } of targets) {
      const into = roomOf(to)
      if (from !== -1 && into < from)
        found.push(
          `src/${file} imports ${type ? 'a type of ' : ''}src/${to}: ${ROOMS[into]} stands above ${ROOMS[from]}`,
        )
    }
  }
  return found
}

function crowded() {
  const counts = new Map()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([folder, count]) => count > (folder === '.' ? MOST_IN_ROOT : MOST_FILES))
    .map(([folder, count]) => `src/${folder} has ${count} files side by side: split it by idea`)
}

function roomOf(file) {
  const parts = file.split('/')
  for (let end = parts.length; end > 0; end--) {
    const at = ROOMS.indexOf(parts.slice(0, end).join('/'))
    if (at !== -1) return at
  }
  return -1
}

function importsOf(file) {
  const found = []
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const add = (specifier, type) => {
    if (!specifier.startsWith('.')) return
    const to = relative(root, join(root, dirname(file), specifier))
      .split(sep)
      .join('/')
    if (!to.startsWith('..')) found.push({ to, type })
  }
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      add(node.moduleSpecifier.text, Boolean(node.importClause?.isTypeOnly ?? node.isTypeOnly))
    if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      ts.isStringLiteral(node.arguments[0])
    )
      add(node.arguments[0].text, false)
    if (ts.isImportTypeNode(node)) add(node.argument.literal.text, true)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function circles() {
  const state = new Map(),
    found = [],
    path = []
  const walk = (file) => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file])
      return
    }
    state.set(file, 'open')
    path.push(file)
    for (const { to } of imports.get(file) ?? []) walk(to)
    path.pop()
    state.set(file, 'done')
  }
  for (const file of files) walk(file)
  return found
}
