import { Problem } from '#domain/problems.ts'
import { checkOrigin } from './guards.ts'
import { readBody } from './read-body.ts'

const FORM = 'application/x-www-form-urlencoded'

/**
 * What a page's own form sent, under the same rules as every call that changes something: from our own pages or from
 * no page at all (Problem `foreign-origin`), of the type that forms have (`unsupported-content-type`), within the
 * limit (`body-too-large`).
 * @param siteUrl the configured site, never the Host header
 */
export async function readForm(request: Request, siteUrl: string): Promise<URLSearchParams> {
  checkOrigin(request.headers, siteUrl)
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM) throw new Problem('unsupported-content-type')
  return new URLSearchParams(await readBody(request))
}
