import { MOST_PICTURE_BYTES } from '#domain/images/picture.ts'
import type { AssetKind, Assets } from './assets.ts'
import type { Place } from './assets-address.ts'
import { presented } from './assets-address.ts'
import { LakeError, refusal } from './errors.ts'
import { bytesOf, type Call, type Routes } from './routes.ts'

/** Each lies in memory as a whole until it is kept. A browser sends six at once. */
const MOST_UPLOADS = 12

/** Why a file was not kept. Its name is not part of it: a name may be somebody's. */
export interface RefusedUpload {
  readonly status: number
  readonly reason: string
  /** As the request announced them; 0 where it did not. */
  readonly bytes: number
}

/**
 * Uploads; what was uploaded is served outside the versioned API.
 * @param tellRefused hears of each file that was refused
 */
export function assetRoutes(
  assets: Assets,
  place: Place,
  newName: () => string,
  tellRefused: (refused: RefusedUpload) => void,
): Routes {
  let uploads = 0
  const upload =
    (kind: AssetKind) =>
    async ({ request, url, user }: Call): Promise<Response> => {
      uploads++
      try {
        if (uploads > MOST_UPLOADS)
          throw refusal(503, 'Too many files are sent at once: try again in a moment')
        const bytes = await bytesOf(request, MOST_PICTURE_BYTES, 'The file is larger than 20 MB')
        const by = { author: user?.id ?? '', transactionId: newName() }
        const document = await assets.upload(kind, bytes, detailsIn(url.searchParams, request.headers), by)
        return Response.json({ document: presented(document, place) })
      } catch (error) {
        if (error instanceof LakeError)
          tellRefused({
            status: error.status,
            reason: error.message,
            bytes: Number(request.headers.get('content-length') ?? 0),
          })
        throw error
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
