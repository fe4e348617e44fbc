import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { asModule, reactModules } from '#layouts/react-plugin.ts'

const require = createRequire(import.meta.url)

const moduleOf = (code: string): Promise<Record<string, unknown>> =>
  import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)

/** What a page would get that asks for these, built as the site's browser files are. */
async function built(source: string): Promise<string> {
  const bundle = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      reactModules(),
      {
        name: 'entry',
        resolveId: id => (id === 'entry' ? id : undefined),
        load: id => (id === 'entry' ? source : undefined),
      },
    ],
    build: { write: false, rolldownOptions: { input: 'entry', preserveEntrySignatures: 'strict' } },
  })
  return ([bundle].flat()[0] as Rolldown.RolldownOutput).output[0].code
}

describe('React as a module', () => {
  it.each([
    'react/cjs/react.production.js',
    'react/cjs/react-jsx-runtime.production.js',
    'scheduler/cjs/scheduler.production.js',
  ])('exports all that %s does', async file => {
    const [name = ''] = file.split('/')
    const path = require.resolve(`${name}/package.json`).replace('package.json', file.slice(name.length + 1))
    const published = require(path) as Record<string, unknown>
    const module = await moduleOf(asModule(readFileSync(path, 'utf8')))
    expect(Object.keys(module).sort()).toEqual(Object.keys(published).sort())
    expect(Object.keys(module).map(each => typeof module[each])).toEqual(
      Object.keys(module).map(each => typeof published[each]),
    )
  })

  it('leaves out what nobody asks for', async () => {
    const code = await built(
      "export { createElement } from 'react'; export { createRoot } from 'react-dom/client'",
    )
    // React's own words for `Children`, and what react-dom says of itself alone.
    expect(code).not.toContain('React.Children.only')
    expect(code).not.toContain('unstable_batchedUpdates')
    expect(await built("export { Children } from 'react'")).toContain('React.Children.only')
  })

  it('is refused where its files use words that are not known here', () => {
    expect(() => asModule('exports.a = 1;\nObject.assign(exports, b);')).toThrow('React is published')
    expect(() => asModule('module.exports = require("./a");')).toThrow('React is published')
    expect(asModule('var A = require("a"),\n  B = require("b");\nexports.a = A.x;')).toBe(
      "import * as A from 'a'\nimport * as B from 'b'\nvar exported_a = A.x;\nexport { exported_a as a }\n",
    )
  })
})
