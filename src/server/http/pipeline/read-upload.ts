import { Problem } from '#domain/problems.ts'
import { checkOrigin, checkType } from './guards.ts'

/**
 * Reads the one file that a page's own form may have sent. The rules are those of `readForm`; how much may come is
 * bounded before anything of it is read (router/uploads.ts).
 * @param siteUrl the configured site, never the Host header
 * @returns undefined where no file was chosen
 */
export async function readUpload(
  request: Request,
  siteUrl: string,
  field: string,
): Promise<Uint8Array | undefined> {
  checkOrigin(request.headers, siteUrl)
  checkType(request.headers, 'upload')
  const form = await request.formData().catch(() => {
    throw new Problem('invalid-fields', { fields: [{ path: '', rule: 'complete' }] })
  })
  const file = form.get(field)
  // A browser sends an empty file where none was chosen.
  return file instanceof File && file.size > 0 ? new Uint8Array(await file.arrayBuffer()) : undefined
}
