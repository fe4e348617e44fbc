import { type AssetKind, type Assets, MOST_UPLOAD_BYTES } from './assets.ts'
import type { Place } from './assets-address.ts'
import { presented } from './assets-address.ts'
import { refusal } from './errors.ts'
import { bytesOf, type Call, type Routes } from './routes.ts'

/** Each lies in memory as a whole until it is kept. A browser sends six at once. */
const MOST_UPLOADS = 12

/** Uploads; what was uploaded is served outside the versioned API. */
export function assetRoutes(assets: Assets, place: Place, newName: () => string): Routes {
  let uploads = 0
  const upload =
    (kind: AssetKind) =>
    async ({ request, url, user }: Call): Promise<Response> => {
      if (uploads >= MOST_UPLOADS)
        throw refusal(503, 'Too many files are sent at once: try again in a moment')
      uploads++
      try {
        const bytes = await bytesOf(request, MOST_UPLOAD_BYTES, 'The file is larger than 20 MB')
        const by = { author: user?.id ?? '', transactionId: newName() }
        const document = await assets.upload(kind, bytes, detailsIn(url.searchParams, request.headers), by)
        return Response.json({ document: presented(document, place) })
      } finally {
        uploads--
      }
    }
  return { 'POST /assets/images/:ds': upload('image'), 'POST /assets/files/:ds': upload('file') }
}

function detailsIn(asked: URLSearchParams, headers: Headers) {
  const text = (name: string) => asked.get(name) ?? undefined
  const [id, name, url] = [text('sourceId'), text('sourceName'), text('sourceUrl')]
  return {
    filename: text('filename'),
    contentType: headers.get('content-type') ?? undefined,
    title: text('title'),
    label: text('label'),
    description: text('description'),
    creditLine: text('creditLine'),
    source: id === undefined ? undefined : { id, ...(name ? { name } : {}), ...(url ? { url } : {}) },
  }
}
