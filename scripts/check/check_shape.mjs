/**
 * Shape of the sources: length of lines, files and functions, `private` instead of `#`, `it` in unit
 * tests. `shape_exceptions.mjs` lists what may differ, each with its reason.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { EXCEPTIONS } from './shape_exceptions.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const FOLDERS = ['src', 'workers', 'demo', 'scripts', 'e2e', 'examples']
const SOURCE = /\.(ts|tsx|mts|mjs|js)$/
/** Not written by hand, or input of a test. */
const SKIPPED = /\/(?:fixtures|node_modules|dist|consumers)\/|^src\/vector\/kernel(?:\/|_wasm\.ts$)/
const TEST = /\.(?:test|spec|contract)\.tsx?$|\/testing\/|^e2e\/.*support\//

const LONGEST_LINE = 120
const LONGEST_FILE = 300
const LONGEST_FUNCTION = 60

const findings = []
const used = new Set()
for (const folder of FOLDERS) for (const file of filesOf(folder)) check(file)
for (const finding of findings) console.error(finding)
for (const [rule, file] of EXCEPTIONS)
  if (!used.has(`${rule} ${file}`))
    console.error(
      `scripts/check/shape_exceptions.mjs: ${file} no longer needs '${rule}': remove it`,
    )
console.log(`check_shape: ${findings.length} findings, ${used.size} exceptions`)
process.exit(findings.length === 0 ? 0 : 1)

function filesOf(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !SKIPPED.test(file))
}

function check(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const lines = text.split('\n')
  const report = (rule, line, message) => {
    const key = `${rule} ${file}`
    if (EXCEPTIONS.some(([of, at]) => of === rule && at === file)) used.add(key)
    else findings.push(`${file}:${line}: ${message} (${rule})`)
  }
  lines.forEach((line, i) => {
    if (line.length > LONGEST_LINE)
      report('line', i + 1, `${line.length} characters, at most ${LONGEST_LINE}`)
  })
  const test = TEST.test(file)
  if (!test && lines.length - 1 > LONGEST_FILE)
    report('file', 1, `${lines.length - 1} lines, at most ${LONGEST_FILE}: find the second idea`)
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node) => {
    if (ts.isPrivateIdentifier(node) && ts.isClassElement(node.parent))
      report('private', lineAt(node.getStart()), `${node.text}: write private, proxies break on #`)
    if (file.endsWith('.test.ts') && ts.isImportSpecifier(node) && node.name.text === 'test')
      report('it', lineAt(node.getStart()), 'a unit test is an it()')
    if (!test && node.body && ts.isFunctionLike(node)) {
      const length = lineAt(node.end) - lineAt(node.getStart()) + 1
      if (length > LONGEST_FUNCTION)
        report(
          'function',
          lineAt(node.getStart()),
          `${node.name?.getText() ?? 'a function'} has ${length} lines, at most ${LONGEST_FUNCTION}`,
        )
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}
