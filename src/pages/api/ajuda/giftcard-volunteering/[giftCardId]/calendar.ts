import type { APIRoute } from 'astro'
import { isDay } from '#domain/days.ts'
import { languageFromTag } from '#domain/languages.ts'
import { Problem } from '#domain/problems.ts'
import { calendarFile } from '#domain/volunteering/calendar.ts'
import { getT } from '#i18n/index.ts'
import { giftLinkPath } from '#paths'
import { admit } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf } from '#server/http/pipeline/endpoint.ts'
import { calendarResponse } from '#server/http/pipeline/file-response.ts'
import { missionText } from '#server/modules/story/invitation.ts'
import { CALENDAR_PATH } from '#wire/api-paths.ts'

/** The day that a recipient chose, as a file for their calendar: `?day=YYYY-MM-DD`. */
export const GET: APIRoute = context =>
  answering(context, { method: 'GET', path: CALENDAR_PATH }, async () => {
    const { app, language: visitors } = context.locals
    const { searchParams } = context.url
    const language = languageFromTag(searchParams.get('lang') ?? '') ?? visitors
    const named = context.params.giftCardId ?? ''
    admit(app, { limit: 'card-read' }, { address: callerOf(context), headers: context.request.headers })
    const view = await app.volunteering.open(named)
    const day = searchParams.get('day') ?? ''
    if (!isDay(day)) throw new Problem('invalid-fields', { fields: [{ path: 'day', rule: 'date' }] })
    // The file is read elsewhere, where no handle stands for the key.
    const { key } = await app.giftLinks.trade(named)
    const unfoldsAs = { themeId: view.theme.id, language: view.language, kind: 'volunteering' } as const
    const t = getT(language)
    const mission = missionText(view.mission, app.content.snapshot(), language)
    const file = calendarFile({
      uid: `${view.createdAt}-volunteering@${new URL(app.settings.siteUrl).hostname}`,
      day,
      stamp: app.clock(),
      summary: mission === undefined ? t('calendar-summary-later') : t('calendar-summary', { mission }),
      description:
        view.senderName === null
          ? t('calendar-description-anonymous')
          : t('calendar-description', { name: view.senderName }),
      url: app.settings.siteUrl + giftLinkPath(unfoldsAs, key, 'mission'),
    })
    return calendarResponse('volunteering.ics', file)
  })

export const ALL = allowOnly('GET', GET)
