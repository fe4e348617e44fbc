import ts from 'typescript'

/**
 * The exported functions of a file without a doc comment, by name. The first of several overloads speaks for all.
 * @param text the file's TypeScript
 */
export function undocumentedIn(text: string): readonly string[] {
  const { statements } = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const documented = new Set<string>()
  return statements.flatMap(statement => {
    const names = isExported(statement) ? functionsIn(statement) : []
    if (hasDocComment(text, statement)) for (const name of names) documented.add(name)
    return names.filter(name => !documented.has(name))
  })
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

const hasDocComment = (text: string, { pos }: ts.Statement): boolean =>
  (ts.getLeadingCommentRanges(text, pos) ?? []).some(comment => text.startsWith('/**', comment.pos))

function functionsIn(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : []
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? [name.getText()]
      : [],
  )
}
