import type { Plugin } from 'vite'

/** Sanity's build names the icons at the root of the host, whatever address the Studio is served under. */
export function ownAddress(basePath: string): Plugin {
  return {
    name: 'own-address',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset' || typeof page.source !== 'string') return
      page.source = page.source.replaceAll('href="/static/', `href="${basePath}/static/`)
    },
  }
}
