import { MOST_PICTURE_BYTES } from '#domain/images/picture.ts'
import type { ContentSource } from './client.ts'

/** Reads a picture's file as it was uploaded. @param file `{hash}-{width}x{height}.{extension}` */
export type ReadAsset = (file: string) => Promise<Buffer>

const TIMEOUT_MS = 15_000

/** Pictures of the source's dataset, asked of where the Content Lake keeps them. Rejects when one cannot be had. */
export function assetReader(source: ContentSource): ReadAsset {
  return async file => {
    const answer = await ask(source, file)
    if (!answer.ok) throw new Error(`a picture was answered with status ${answer.status}`)
    if (Number(answer.headers.get('content-length')) > MOST_PICTURE_BYTES)
      throw new Error('a picture is too large')
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (bytes.length > MOST_PICTURE_BYTES) throw new Error('a picture is too large')
    return bytes
  }
}

function ask(source: ContentSource, file: string): Promise<Response> {
  if ('fetch' in source)
    return source.fetch(new Request(`http://lake.localhost/images/local/production/${file}`))
  return fetch(`https://cdn.sanity.io/images/${source.projectId}/${source.dataset}/${file}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}
