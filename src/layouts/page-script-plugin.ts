import { relative } from 'node:path'
import { emitClientAsset } from 'astro/assets/utils'
import { build, type Plugin, type Rolldown } from 'vite'

const IN_THE_PAGE = '?page-script'
const IN_THE_HEAD = '?head-script'
const BY_ITSELF = '?own-file'

/**
 * `import script from './x.ts?page-script'` gives all of a page's script as one text, to stand in the page itself
 * (PageScript.astro): a screen without React then needs no request for its code, and no code that it does not run.
 *
 * `import script from './x.ts?head-script'` gives the same for a classic script, which runs where it stands, before the first
 * paint.
 *
 * `import file from './x.ts?own-file'` gives the address of a file that brings along all that it needs, for what is
 * fetched later by `import(file)`: as a part of the same build it would share files with the islands, whose other
 * parts, React first, every screen without one would fetch with it.
 */
export function pageScripts(): Plugin {
  let served: string | undefined
  return {
    ...loading(() => served),
    configResolved(config) {
      served = config.command === 'serve' ? config.root : undefined
    },
  }
}

/** @param served the project's folder while the site is developed: its sources are files of their own already */
function loading(served: () => string | undefined): Plugin {
  return {
    name: 'page-scripts',
    enforce: 'pre',
    async load(id) {
      const emit = (files: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): void => {
        // Else Astro leaves it among the server's files.
        for (const file of files)
          emitClientAsset(this, {
            type: 'asset',
            fileName: file.fileName,
            source: file.type === 'chunk' ? file.code : file.source,
          })
      }
      const root = served()
      for (const suffix of [IN_THE_PAGE, IN_THE_HEAD]) {
        if (!id.endsWith(suffix)) continue
        const format = suffix === IN_THE_HEAD ? 'iife' : 'esm'
        const [{ code, moduleIds }, ...fetchedLater] = await bundle(id.slice(0, -suffix.length), format, root)
        for (const module of moduleIds) this.addWatchFile(module)
        if (root === undefined) emit(fetchedLater)
        return `export default ${JSON.stringify(code.trim())}`
      }
      if (!id.endsWith(BY_ITSELF)) return undefined
      const source = id.slice(0, -BY_ITSELF.length)
      if (root !== undefined) return `export default ${JSON.stringify(`/${relative(root, source)}`)}`
      const files = await bundle(source)
      emit(files)
      return `export default ${JSON.stringify(`/${files[0].fileName}`)}`
    },
  }
}

/** A classic script with everything that it imports, minified, as it stands in a page's head. */
export async function headScript(file: string): Promise<string> {
  const [{ code }] = await bundle(file, 'iife')
  return code.trim()
}

/** A module with everything that it imports, minified, as it stands in a page. */
export async function pageScript(file: string): Promise<string> {
  const [{ code }] = await bundle(file)
  return code.trim()
}

/** A module with everything that it imports, then the files that these ask for by themselves. */
async function bundle(
  input: string,
  format: 'esm' | 'iife' = 'esm',
  served?: string,
): Promise<[Rolldown.OutputChunk, ...(Rolldown.OutputChunk | Rolldown.OutputAsset)[]]> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [loading(() => served)],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input,
        // A name that is a constant stands where it is used.
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
        preserveEntrySignatures: format === 'esm' ? 'exports-only' : false,
        output: { format, entryFileNames: '_astro/[name].[hash].js' },
      },
    },
  })
  return ([built].flat()[0] as Rolldown.RolldownOutput).output
}
