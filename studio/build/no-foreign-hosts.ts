import type { Plugin } from 'vite'

const BRIDGE = /<script[^>]*\bsrc="https:\/\/core\.sanity-cdn\.[^"]*"[^>]*><\/script>\s*/g
const FOREIGN_FONT = /@font-face\s*\{[^}]*\burl\(["']?https:\/\/[\w.-]*sanity\.io\/[^}]*\}\s*/g

const withoutForeignFonts = (css: string): string => css.replace(FOREIGN_FONT, '')

/**
 * Takes out what Sanity's build puts in for its own hosts: a script that its dashboard talks through, and fonts.
 * The Studio falls back to the system's font.
 */
export function noForeignHosts(): Plugin {
  return {
    name: 'no-foreign-hosts',
    enforce: 'post',
    transformIndexHtml: html => withoutForeignFonts(html.replace(BRIDGE, '')),
    transform: (code, id) => (/\.css(?:$|\?)/.test(id) ? withoutForeignFonts(code) : undefined),
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || typeof file.source !== 'string') continue
        if (/\.(?:css|html)$/.test(file.fileName))
          file.source = withoutForeignFonts(file.source.replace(BRIDGE, ''))
      }
    },
  }
}
