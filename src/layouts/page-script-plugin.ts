import { build, type Plugin } from 'vite'

const MARK = '?page-script'

/**
 * `import script from './x.ts?page-script'` gives all of a page's script as one text, to stand in the page itself
 * (PageScript.astro): a screen without React then needs no request for its code, and no code that it does not run.
 */
export function pageScripts(): Plugin {
  return {
    name: 'page-scripts',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(MARK)) return undefined
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        build: {
          write: false,
          modulePreload: false,
          rolldownOptions: { input: id.slice(0, -MARK.length) },
        },
      })
      const { output } = [built].flat()[0] as { output: { code?: string; moduleIds?: string[] }[] }
      const [{ code = '', moduleIds = [] } = {}] = output
      for (const module of moduleIds) this.addWatchFile(module)
      return `export default ${JSON.stringify(code.trim())}`
    },
  }
}
