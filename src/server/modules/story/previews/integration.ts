import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { LANGUAGES } from '#domain/languages.ts'
import { THEMES } from '#domain/themes.ts'
import { ICONS, PREVIEW_KINDS, previewImagePath } from '#paths'
import { drawPreview } from './draw.ts'
import { drawIcon, icoOf } from './icons.ts'

/** At the end of a build, draws the site's icons and the link previews of every theme and language beside its files. */
export function linkPreviews(): AstroIntegration {
  let folder: URL
  return {
    name: 'link-previews',
    hooks: {
      'astro:config:done': ({ config }) => {
        folder = config.build.client
      },
      'astro:build:done': async () => {
        const at = (path: string): string => fileURLToPath(new URL(`.${path}`, folder))
        for (const { path, size, ...look } of ICONS) {
          const isTab = path.endsWith('.ico')
          const icon = await drawIcon(size, { ...look, rounded: isTab })
          await writeFile(at(path), isTab ? icoOf(icon, size) : icon)
        }
        for (const kind of PREVIEW_KINDS)
          for (const theme of Object.values(THEMES))
            for (const language of LANGUAGES) {
              const file = at(previewImagePath(theme, language, kind))
              await mkdir(dirname(file), { recursive: true })
              await writeFile(file, await drawPreview(theme, language, kind))
            }
      },
    },
  }
}
