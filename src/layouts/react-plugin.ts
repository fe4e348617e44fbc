import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)

/** The parts of React that a browser needs, by the name that they are imported by. */
const PARTS: Readonly<Record<string, string>> = {
  react: 'react/cjs/react.production.js',
  'react/jsx-runtime': 'react/cjs/react-jsx-runtime.production.js',
  'react-dom': 'react-dom/cjs/react-dom.production.js',
  'react-dom/client': 'react-dom/cjs/react-dom-client.production.js',
  scheduler: 'scheduler/cjs/scheduler.production.js',
}

/** What React's renderer looks for in its scheduler, and finds in another kind of it alone. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
  scheduler: ['log', 'unstable_setDisableYieldValue'],
}

/**
 * Gives the browser's build React's parts as modules. They are published as CommonJS, of which a bundler takes all or
 * nothing: what no island asks for, such as `Children`, `lazy` or half of react-dom, would be fetched with each.
 */
export function reactModules(): Plugin {
  const fileOf = (part: string): string => {
    const [name = '', ...path] = (PARTS[part] ?? '').split('/')
    return join(dirname(require.resolve(`${name}/package.json`)), ...path)
  }
  const parts = new Map(Object.keys(PARTS).map(part => [fileOf(part), part]))
  return {
    name: 'react-modules',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: environment => environment.name === 'client',
    resolveId: id => (Object.hasOwn(PARTS, id) ? fileOf(id) : undefined),
    transform(code, id) {
      const part = parts.get(id)
      return part === undefined ? undefined : { code: asModule(code, MISSING[part]), map: null }
    },
  }
}

/** One line of the declaration in which a part requires others. */
const REQUIRED = /^(?:var|\s) *(\w{1,40}) = require\("([\w/-]{1,40})"\)[,;]$/

/**
 * A part of React, in the few words of CommonJS that its published files use, as a module.
 * @param missing names that are exported with no value
 * @throws Error where the part uses others: React is published in another way now
 */
export function asModule(code: string, missing: readonly string[] = []): string {
  const lines = code.split('\n').map(line => ({ line, required: REQUIRED.exec(line) }))
  const names = new Set<string>()
  const body = lines
    .flatMap(({ line, required }) => (required || line === '"use strict";' ? [] : [line]))
    .join('\n')
    .replace(/^exports\.(\w+) =/gm, (_, name: string) => {
      const isFirst = !names.has(name)
      names.add(name)
      return `${isFirst ? 'var ' : ''}exported_${name} =`
    })
    .replace(/\bexports\.(\w+)/g, (use, name: string) => (names.has(name) ? `exported_${name}` : use))
  if (names.size === 0 || /\b(?:require\(|exports\b|module\.)/.test(body))
    throw new Error('React is published in other words now: see src/layouts/react-plugin.ts')
  const imports = lines.flatMap(({ required }) =>
    required ? [`import * as ${required[1]} from '${required[2]}'\n`] : [],
  )
  const exported = [...names].map(name => `exported_${name} as ${name}`)
  return [
    ...imports,
    body,
    `\nexport { ${exported.join(', ')} }\n`,
    ...missing.map(name => `export const ${name} = undefined\n`),
  ].join('')
}
