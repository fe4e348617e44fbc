import type { APIContext } from 'astro'
import { isProblem } from '#domain/problems.ts'
import { cardPath, ERROR_PATH, localizedPath, PRINT_KEY_FIELD, UNAVAILABLE_PATH } from '#paths'
import { count } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf, type Handlers } from '#server/http/pipeline/endpoint.ts'
import { readForm } from '#server/http/pipeline/read-form.ts'

/**
 * Gives the card of a private key as a sheet to print. The key comes in a form's body, so that no history, log or
 * Referer holds it. On a failure a browser is led to the screen that says why; a program gets the problem.
 */
export function printSheet(path: string): Handlers {
  const contract = { method: 'POST', path } as const
  const POST: Handlers['ALL'] = context =>
    answering(context, contract, async () => {
      const { app } = context.locals
      const form = await readForm(context.request, app.settings.siteUrl)
      const key = form.get(PRINT_KEY_FIELD) ?? ''
      try {
        count(app, 'print', callerOf(context))
        const sheet = await app.prints.sheetOf(key)
        return new Response(new Uint8Array(sheet), {
          headers: {
            'Content-Type': 'application/pdf',
            'Content-Disposition': 'attachment; filename="gift-card.pdf"',
            'Cache-Control': 'no-store',
          },
        })
      } catch (error) {
        if (!isProblem(error)) throw error
        if (!isBrowser(context)) throw error
        return new Response(null, { status: 303, headers: { Location: screenFor(error.code, key, context) } })
      }
    })
  return { POST, ALL: allowOnly('POST', POST) }
}

const isBrowser = ({ request }: APIContext): boolean =>
  request.headers.get('Accept')?.includes('text/html') ?? false

function screenFor(code: string, key: string, { locals }: APIContext): string {
  if (code === 'card-consumed') return cardPath(key, 'consumed')
  // Every wrong key gets the same answer, so that nobody can tell one kind from another.
  if (code === 'card-not-found') return cardPath('-', 'doesnt-exist')
  const isPassing = code === 'too-many-requests' || code === 'temporarily-unavailable'
  return localizedPath(locals.language, isPassing ? UNAVAILABLE_PATH : ERROR_PATH)
}
