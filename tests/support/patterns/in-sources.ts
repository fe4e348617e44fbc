import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../product/root.ts'
import { sourceFiles } from '../sources.ts'

/** A pattern as it stands in a file of src. */
export interface PatternInSource {
  /** Below src. */
  readonly file: string
  readonly source: string
  readonly flags: string
}

/** What `new RegExp(…)` makes: known only when it runs. */
export interface MadePattern {
  readonly file: string
  readonly made: string
}

/** Every pattern of the sources, those in the frontmatter of pages too. */
export function patternsInSources(): {
  readonly written: readonly PatternInSource[]
  readonly made: readonly MadePattern[]
} {
  const written: PatternInSource[] = []
  const made: MadePattern[] = []
  for (const file of withPatterns()) {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8')
    const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
    const tree = ts.createSourceFile(file, scriptOf(file, text), ts.ScriptTarget.Latest, true, kind)
    const look = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        written.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
      } else if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        node.expression.getText(tree) === 'RegExp'
      )
        made.push({ file, made: node.getText(tree) })
      ts.forEachChild(node, look)
    }
    look(tree)
  }
  return { written, made }
}

/** Below src. */
const withPatterns = (): string[] =>
  sourceFiles(join(ROOT, 'src/**/*.{ts,tsx,astro}'))
    .filter(file => !file.endsWith('.d.ts'))
    .map(file => relative(join(ROOT, 'src'), file))
    .sort()

/** Of a page, what is TypeScript: its frontmatter. */
function scriptOf(file: string, text: string): string {
  if (!file.endsWith('.astro')) return text
  const [, frontmatter = ''] = text.split(/^---$/m)
  return frontmatter
}
