import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 1e8,
})
  .split('\n')
  .filter(file => /\.(ts|tsx|astro|css|mjs|cjs|md|yml)$/.test(file) && existsSync(join(ROOT, file)))
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** A heading's anchor, as the usual hosts make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const anchors = (file: string): string[] =>
  [...textOf(file).matchAll(/^#+\s+(.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** Where a citation leads: `product.md#money` in a comment means the file in docs. */
function leadsNowhere(file: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const candidates = path === '' ? [file] : [join(dirname(file), path), join('docs', path), path]
  const found = candidates.find(candidate => existsSync(join(ROOT, candidate)))
  if (found === undefined) return true
  return anchor !== undefined && found.endsWith('.md') && !anchors(found).includes(anchor)
}

const FOLDERS = /^(src|tests|bench|studio|locales)\//
const SOURCE_FILE = /\/[^/]+\.(ts|tsx|astro|css|json|mjs)$/

/**
 * The paths in a text's backquotes, also those within a command: whatever begins with a folder of the repository, and
 * every source file. Patterns and placeholders are left out, and what a build makes, which a fresh clone lacks.
 */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, quoted = '']) => quoted.split(/[\s,;=]+/))
    .map(word => word.replace(/(:\d+|#.*|[.:])$/, ''))
    .filter(word => (FOLDERS.test(word) || SOURCE_FILE.test(word)) && !/[*{}<>…:]|^dist\//.test(word))

/** Where a document's path may begin: at the repository, beside the document, or where the plan of the rooms does. */
const isThere = (file: string, path: string): boolean =>
  ['', dirname(file), ...(FOLDERS.test(path) ? [] : ['src', 'src/server', 'src/server/modules'])].some(
    place => existsSync(join(ROOT, place, path)),
  )

const code = files.filter(file => !file.endsWith('.md') && !file.startsWith('tests/architecture/'))
const documents = files.filter(file => file.endsWith('.md'))

describe('what comments and documents cite', () => {
  it('is in the repository: no comment names a section of another document', () => {
    const strangers = files
      .filter(file => !file.startsWith('tests/architecture/'))
      .filter(file => /\b(specification|decisions|architecture|quality|reliability) §/i.test(textOf(file)))
    expect(strangers).toEqual([])
  })

  it('resolves in comments: each document and each heading exists', () => {
    const broken = code.flatMap(file =>
      [...textOf(file).matchAll(/\b((?:docs\/)?[\w/-]+\.md(?:#[\p{L}\p{N}_-]+)?)/gu)]
        .map(([, target = '']) => target)
        .filter(target => leadsNowhere(file, target))
        .map(target => `${file}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('resolves in comments: each decision record that is named by its number exists', () => {
    const records = new Set(
      files.map(file => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1]).filter(number => number !== undefined),
    )
    const broken = code.flatMap(file =>
      [...textOf(file).matchAll(/\bdecisions?(?:\/| )(\d{4})\b/g)]
        .filter(([, number = '']) => !records.has(number))
        .map(([cited]) => `${file}: ${cited}`),
    )
    expect(broken).toEqual([])
  })

  it('resolves in documents: each link leads to a file and a heading', () => {
    const broken = documents.flatMap(file =>
      [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter(target => !/^[a-z]+:/.test(target))
        .filter(target => leadsNowhere(file, target))
        .map(target => `${file}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('is there: each path in backquotes', () => {
    const missing = documents.flatMap(file =>
      pathsIn(textOf(file))
        .filter(path => !isThere(file, path))
        .map(path => `${file}: ${path}`),
    )
    expect(missing).toEqual([])
  })

  it('takes patterns and placeholders for no path', () => {
    const text =
      'See `src/a.ts`, `tests/b/` and `npx vitest run tests/c.test.ts`, not `src/*.ts`, `dist/a/b.mjs`, `locales/{lang}/x.json`.'
    expect(pathsIn(text)).toEqual(['src/a.ts', 'tests/b/', 'tests/c.test.ts'])
    expect(pathsIn('`bench/<part>.ts` `src/pages/[lang]/index.astro` `docs/x` `http/router.ts`')).toEqual([
      'src/pages/[lang]/index.astro',
      'http/router.ts',
    ])
  })

  it('is listed: each decision record stands in the index with its date and status', () => {
    const index = textOf('docs/decisions/README.md')
    const records = files.filter(file => /^docs\/decisions\/\d{4}-/.test(file))
    const missing = records.filter(file => {
      const name = file.slice('docs/decisions/'.length)
      return !new RegExp(`\\]\\(${name}\\).*\\| \\d{4}-\\d{2}-\\d{2} \\| (accepted|superseded)`).test(index)
    })
    expect(missing).toEqual([])
  })
})
