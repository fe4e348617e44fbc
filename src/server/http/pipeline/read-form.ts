import { checkOrigin, checkType } from './guards.ts'
import { readBody } from './read-body.ts'

/**
 * What a page's own form sent, under the same rules as every call that changes something: from our own pages or from
 * no page at all (Problem `foreign-origin`), of the type that forms have (`unsupported-content-type`), within the
 * limit (`body-too-large`).
 * @param siteUrl the configured site, never the Host header
 */
export async function readForm(request: Request, siteUrl: string): Promise<URLSearchParams> {
  checkOrigin(request.headers, siteUrl)
  checkType(request.headers, 'form')
  return new URLSearchParams(await readBody(request))
}
