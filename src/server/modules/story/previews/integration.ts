import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { LANGUAGES } from '#domain/languages.ts'
import { THEMES, type ThemeId } from '#domain/themes.ts'
import { PREVIEW_KINDS, previewImagePath } from '#paths'
import { drawPreview } from './draw.ts'

/** At the end of a build, draws the link previews of every theme and language beside the site's other files. */
export function linkPreviews(): AstroIntegration {
  let folder: URL
  return {
    name: 'link-previews',
    hooks: {
      'astro:config:done': ({ config }) => {
        folder = config.build.client
      },
      'astro:build:done': async () => {
        for (const kind of PREVIEW_KINDS)
          for (const theme of Object.keys(THEMES) as ThemeId[])
            for (const language of LANGUAGES) {
              const file = fileURLToPath(new URL(`.${previewImagePath(theme, language, kind)}`, folder))
              await mkdir(dirname(file), { recursive: true })
              await writeFile(file, await drawPreview(theme, language, kind))
            }
      },
    },
  }
}
