/**
 * The question whether each entry of the package exports what its types say, no name more and none
 * less.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * Throws with every name that the code of an entry has and its types do not, or the other way
 * round. `folder` holds package.json and dist.
 */
export function entryNames(folder) {
  const entries = Object.entries(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).exports,
  ).filter(([, to]) => typeof to === 'object')
  const program = ts.createProgram(
    entries.map(([, { types }]) => join(folder, types)),
    {
      noLib: true,
      types: [],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    },
  )
  const wrong = []
  let names = 0
  for (const [entry, { types, default: code }] of entries) {
    const said = declaredNames(program, join(folder, types)),
      found = codeNames(join(folder, code))
    names += said.size
    const more = [...found].filter((name) => !said.has(name)),
      less = [...said].filter((name) => !found.has(name))
    if (more.length > 0)
      wrong.push(`${entry} exports ${more.join(', ')}, of which its types know nothing`)
    if (less.length > 0) wrong.push(`${entry} lacks ${less.join(', ')}, which its types name`)
  }
  if (names === 0) wrong.push('no entry exports anything')
  if (wrong.length > 0) throw new Error(`${wrong.join('; ')}.`)
  return `${entries.length} entries, ${names} names`
}

/** Names of values; a name exported as a type alone is none. */
function declaredNames(program, file) {
  const checker = program.getTypeChecker(),
    source = program.getSourceFile(file)
  if (source === undefined) throw new Error(`${file} is missing.`)
  const module = checker.getSymbolAtLocation(source)
  const names = new Set()
  for (const symbol of module === undefined ? [] : checker.getExportsOfModule(module)) {
    if (symbol.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration)) continue
    const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    if (meant.flags & ts.SymbolFlags.Value) names.add(symbol.name)
  }
  return names
}

/** Read, not run. */
function codeNames(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const names = new Set()
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause))
        throw new Error(`${file} exports whatever another file does.`)
      for (const { name } of statement.exportClause.elements) names.add(name.text)
    } else if (ts.isExportAssignment(statement)) {
      names.add('default')
    } else if (
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    ) {
      for (const { name } of ts.isVariableStatement(statement)
        ? statement.declarationList.declarations
        : [statement])
        names.add(name.text)
    }
  }
  return names
}
