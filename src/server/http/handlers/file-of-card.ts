import type { APIContext } from 'astro'
import { lastDayOfCard } from '#domain/card/term.ts'
import type { LimitName } from '#domain/limits/limits.ts'
import { isProblem, Problem } from '#domain/problems.ts'
import { calendarFile } from '#domain/volunteering/calendar.ts'
import { getT } from '#i18n/index.ts'
import { cardPath, ERROR_PATH, localizedPath, PRINT_KEY_FIELD, UNAVAILABLE_PATH } from '#paths'
import type { App } from '#server/http/app.ts'
import { count } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf, type Handlers } from '#server/http/pipeline/endpoint.ts'
import { CALENDAR_TYPE, fileResponse } from '#server/http/pipeline/file-response.ts'
import { readForm } from '#server/http/pipeline/read-form.ts'

interface CardFile {
  readonly limit: LimitName
  readonly type: string
  readonly name: string
  readonly make: (app: App, key: string, context: APIContext) => Promise<BodyInit>
}

/** The card of a private key as a sheet to print. */
export const printSheet = (path: string): Handlers =>
  fileOfCard(path, {
    limit: 'print',
    type: 'application/pdf',
    name: 'gift-card.pdf',
    make: async (app, key) => new Uint8Array(await app.prints.sheetOf(key)),
  })

/** The last day of the card of a private key, for a calendar: a program that takes it may tell others, so it holds no key. */
export const lastDayFile = (path: string): Handlers =>
  fileOfCard(path, {
    limit: 'card-read',
    type: CALENDAR_TYPE,
    name: 'last-day.ics',
    async make(app, key, { locals }) {
      const view = await app.cards.open(key, 'full')
      if (view.authority !== 'full') throw new Problem('card-not-found')
      if (view.consumed) throw new Problem('card-consumed')
      const t = getT(locals.language)
      return calendarFile({
        uid: `${view.createdAt}-last-day@${new URL(app.settings.siteUrl).hostname}`,
        day: lastDayOfCard(view),
        stamp: app.clock(),
        summary: t('calendar-last-day'),
        description: t('calendar-last-day-description'),
      })
    },
  })

/**
 * Gives a file made of the card of a private key. The key comes in a form's body, so that no history, log or Referer holds
 * it. On a failure a browser is led to the screen that says why; a program gets the problem.
 */
function fileOfCard(path: string, { limit, type, name, make }: CardFile): Handlers {
  const contract = { method: 'POST', path } as const
  const POST: Handlers['ALL'] = context =>
    answering(context, contract, async () => {
      const { app } = context.locals
      const form = await readForm(context.request, app.settings.siteUrl)
      const key = form.get(PRINT_KEY_FIELD) ?? ''
      try {
        count(app, limit, callerOf(context))
        return fileResponse(name, type, await make(app, key, context))
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
