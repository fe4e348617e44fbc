import { readFileSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import { sourceFiles } from '../sources.ts'

/** One file of `src` that imports another, by their paths from the repository's root. */
export interface Import {
  readonly from: string
  readonly to: string
}

/** `import x from`, `export * from`, `import 'x'`, `import('x')`, `import type`: each names its module in quotes. */
const MODULE = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g

/**
 * What a file's text imports.
 * @param from the file's path from the root
 * @param aliases package.json's `imports`
 * @returns paths from the root; packages are left out
 */
export function importsIn(text: string, from: string, aliases: Readonly<Record<string, string>>): Import[] {
  return [...text.matchAll(MODULE)].flatMap(([, , name = '']) => {
    const to = pathOf(name.split('?')[0] ?? '', from, aliases)
    return to === undefined ? [] : [{ from, to }]
  })
}

/** A package that a file of `src` imports; `node:fs` is one. */
export interface PackageImport {
  readonly from: string
  readonly name: string
}

/** The packages that a file's text imports, without the paths in them. */
export function packagesIn(text: string, from: string): PackageImport[] {
  return [...text.matchAll(MODULE)].flatMap(([, , path = '']) => {
    const [, name] = /^((?:@[\w.-]+\/)?[\w.-]+|(?:node|astro):[\w/]+)(?:[/?].*)?$/.exec(path) ?? []
    return name === undefined || /^\.|^#/.test(path)
      ? []
      : [{ from, name: name.replace(/^astro:.*/, 'astro') }]
  })
}

function pathOf(name: string, from: string, aliases: Readonly<Record<string, string>>): string | undefined {
  if (name.startsWith('.')) return normalize(join(from, '..', name))
  if (!name.startsWith('#')) return undefined
  for (const [alias, path] of Object.entries(aliases)) {
    if (alias === name) return normalize(path)
    const stem = alias.slice(0, -1)
    if (alias.endsWith('/*') && name.startsWith(stem))
      return normalize(path.slice(0, -1) + name.slice(stem.length))
  }
  return undefined
}

/** Every import of `src`, of committed and new files alike. */
export function importsOfSources(root: string): {
  readonly imports: readonly Import[]
  readonly packages: readonly PackageImport[]
} {
  const { imports: aliases } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    imports: Record<string, string>
  }
  const files = sourceFiles(join(root, 'src/**/*.{ts,tsx,astro}')).map(file => {
    const path = relative(root, file)
    return { path, text: readFileSync(file, 'utf8') }
  })
  return {
    imports: files
      .flatMap(({ path, text }) => importsIn(text, path, aliases))
      .filter(({ to }) => to.startsWith('src/')),
    packages: files.flatMap(({ path, text }) => packagesIn(text, path)),
  }
}
