import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { pageScript } from './page-script-plugin.ts'

const STARTER = fileURLToPath(new URL('../screens/shared/shell/island.script.ts', import.meta.url))
const RENDERER = fileURLToPath(new URL('../screens/shared/shell/renderer.ts', import.meta.url))

/** What Astro prints before its own starter: a style that ours have already, and the ways to wait before a start. */
const BEFORE_STARTER =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Astro's own source
  '<style>${ISLAND_STYLES}</style><script>${getDirectiveScriptText(result, directive)}</script>'

/**
 * Starts islands by our own two parts, in the place of what Astro and its React integration bring. Only in a build: the
 * pages of `npm run dev` reload themselves by Astro's.
 */
export function islandStarter(): Plugin {
  return {
    name: 'island-starter',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (id.endsWith('/@astrojs/react/dist/client.js'))
        return `export { default } from ${JSON.stringify(RENDERER)}`
      if (!id.endsWith('/astro/dist/runtime/server/astro-island.prebuilt.js')) return undefined
      this.addWatchFile(STARTER)
      return `export default ${JSON.stringify(await pageScript(STARTER))}`
    },
    transform(code, id) {
      if (!id.endsWith('/astro/dist/runtime/server/scripts.js')) return undefined
      if (!code.includes(BEFORE_STARTER)) this.error('Astro starts its islands in another way now')
      return code.replace(BEFORE_STARTER, '')
    },
  }
}

/**
 * Makes each island one file beside React's: what islands share is put into each, as far as it uses it. A shared file
 * would cost each island a request with its headers, and the code that only the others run.
 * @param bundle the browser's files; the shared ones that nobody asks for any more are taken out of it
 * @param renderer the name of React's file, which stays by itself
 */
export async function joinIslands(bundle: Rolldown.OutputBundle, renderer: string): Promise<void> {
  const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
  const islands = chunks.filter(({ fileName }) => fileName.includes('.island.'))
  const shared = new Set(islands.flatMap(({ imports }) => imports).filter(name => name !== renderer))
  const joined = await Promise.all(islands.map(({ fileName }) => joinedIsland(fileName, chunks, renderer)))
  for (const [index, island] of islands.entries()) {
    island.code = joined[index] ?? island.code
    island.imports = [renderer]
  }
  const asked = new Set(
    chunks.filter(({ fileName }) => !shared.has(fileName)).flatMap(({ imports }) => imports),
  )
  for (const name of shared) if (!asked.has(name)) delete bundle[name]
}

/** An island with everything that it imports but React. */
async function joinedIsland(
  fileName: string,
  chunks: readonly Rolldown.OutputChunk[],
  renderer: string,
): Promise<string> {
  const codes = new Map(chunks.map(chunk => [basename(chunk.fileName), chunk.code]))
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      {
        name: 'files-of-the-bundle',
        enforce: 'pre',
        resolveId(id) {
          const name = basename(id)
          if (id.startsWith('/_astro/')) return { id, external: true }
          if (name === basename(renderer)) return { id: `./${name}`, external: true }
          return codes.has(name) ? `\0${name}` : undefined
        },
        // A file that is fetched later is one of its own already. An address that is written out would be wrapped in what
        // fetches its parts ahead: 0.6 kB for nothing. The minifier joins the two texts again.
        load: id => codes.get(id.slice(1))?.replaceAll('import(`/_astro/', "import(''+`/_astro/"),
      },
    ],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: fileName,
        preserveEntrySignatures: 'exports-only',
        output: { format: 'esm' },
      },
    },
  })
  return ([built].flat()[0] as Rolldown.RolldownOutput).output[0].code
}
