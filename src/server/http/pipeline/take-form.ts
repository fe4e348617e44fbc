import { isProblem, type Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import type { LimitName } from '#server/platform/limits.ts'
import { admitInTurn } from './admit.ts'
import { readForm } from './read-form.ts'

/**
 * Admits what a page's own form sent, and reads it in either case: whoever sent it too often gets it back as it was
 * written. Nothing is done or looked up for a form that is refused.
 * @returns what was written, and why it is refused; undefined where it is not
 * @throws Problem as `readForm` does
 */
export async function takeForm(
  app: Pick<App, 'settings' | 'limits'>,
  limit: LimitName,
  { request, address }: { readonly request: Request; readonly address: string },
): Promise<{ readonly form: URLSearchParams; readonly refusal: Problem | undefined }> {
  const sender = { address, headers: request.headers }
  const refusal = await admitInTurn(app, { limit, changes: true, type: 'form' }, sender).then(
    () => undefined,
    (error: unknown) => {
      if (isProblem(error)) return error
      throw error
    },
  )
  // What is refused for where it comes from, or for its type, is refused here again.
  return { form: await readForm(request, app.settings.siteUrl), refusal }
}
