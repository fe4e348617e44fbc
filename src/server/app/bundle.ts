import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AstroHandler } from '#server/http/page-cache/astro-handler.ts'
import { hashSmallTextsAtOnce } from '#server/http/page-cache/sync-digests.ts'

/** Loads what `astro build` made: the handler of every page and endpoint. */
export async function loadAstro(root: string): Promise<AstroHandler> {
  // The islands were built for production, and React on the server must be the same: it chooses by NODE_ENV.
  process.env.NODE_ENV ||= 'production'
  hashSmallTextsAtOnce()
  const entry = (await import(pathToFileURL(join(root, 'dist/server/entry.mjs')).href)) as {
    handler: AstroHandler
  }
  return entry.handler
}
