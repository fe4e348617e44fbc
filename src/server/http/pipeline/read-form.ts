import { checkOrigin, checkType } from './guards.ts'
import { readBody } from './read-body.ts'

/**
 * Reads what a page's own form sent. The rules are those of every call that changes something: it comes from our own
 * pages or from no page at all (Problem `foreign-origin`), it has the content type of forms
 * (`unsupported-content-type`), and it is within the limit (`body-too-large`).
 * @param siteUrl the configured site, never the Host header
 */
export async function readForm(request: Request, siteUrl: string): Promise<URLSearchParams> {
  checkOrigin(request.headers, siteUrl)
  checkType(request.headers, 'form')
  return new URLSearchParams(await readBody(request))
}
