/** A file that the browser saves, of whoever asked for it alone. @param type as `Content-Type` says it */
export const fileResponse = (name: string, type: string, content: BodyInit): Response =>
  new Response(content, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  })

/** A day for a calendar. */
export const calendarResponse = (name: string, text: string): Response =>
  fileResponse(name, CALENDAR_TYPE, text)

/** A table. */
export const csvResponse = (name: string, text: string): Response =>
  fileResponse(name, 'text/csv; charset=utf-8', text)

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'
