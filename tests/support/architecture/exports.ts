import ts from 'typescript'
import type { Source } from './copies.ts'

/** A name that a file exports, by its declaration or by `export { name }`. */
export interface ExportedName {
  readonly path: string
  readonly name: string
}

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

const parse = ({ path, text }: Source): ts.SourceFile =>
  ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )

/** What a file exports by name. */
export function exportedBy(source: Source): ExportedName[] {
  return parse(source).statements.flatMap(statement => {
    const names: string[] = []
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    )
      names.push(...statement.exportClause.elements.map(({ name }) => name.text))
    else if (isExported(statement)) {
      if (ts.isVariableStatement(statement))
        for (const { name } of statement.declarationList.declarations) {
          if (ts.isIdentifier(name)) names.push(name.text)
          else for (const part of name.elements) if ('name' in part) names.push(part.name.getText())
        }
      else if ('name' in statement && statement.name) names.push((statement.name as ts.Identifier).text)
    }
    return names.map(name => ({ path: source.path, name }))
  })
}

/** How often each word stands in a text, without its comments. */
function wordsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  for (const [word] of code.matchAll(/[\w$]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/**
 * The exported names that no code names, neither their own file a second time nor another one.
 * @param sources where exports are looked for
 * @param users where else they may be used
 */
export function unusedExports(sources: readonly Source[], users: readonly Source[]): ExportedName[] {
  const words = new Map([...sources, ...users].map(({ path, text }) => [path, wordsOf(text)]))
  const files = new Map<string, number>()
  for (const counts of words.values())
    for (const word of counts.keys()) files.set(word, (files.get(word) ?? 0) + 1)
  return sources
    .flatMap(exportedBy)
    .filter(({ path, name }) => files.get(name) === 1 && (words.get(path)?.get(name) ?? 0) < 2)
}
