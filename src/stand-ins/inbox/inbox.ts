import { html, type Markup } from './html.ts'
import { readMail, readMails } from './mails.ts'
import { INBOX_PATH, listPage, messagePage, missingPage, type View } from './views.ts'

export interface Inbox {
  /** Is this path the inbox's to answer? */
  matches(pathname: string): boolean
  handle(request: Request): Promise<Response>
}

/** So many mails the list shows: enough to find today's, few enough to parse at each look. */
const LISTED = 100

const MESSAGE_PATH = /^\/_local\/mail\/([^/]+?)(?:\/(text|raw|html))?$/

/** Its own pages need nothing from anywhere, but the style in them and the mail in its frame. */
const INBOX_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A mail is somebody else's markup: no scripts, no requests; its links may open in the whole window. */
const MAIL_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"

/**
 * Shows the mails that the file transport keeps in a folder: the list, and each mail as a program shows it, as
 * text, and as it was sent. A stand-in for a mail server, where none is configured: in English only, without
 * scripts, and reading only.
 * @param dir the file transport's folder; need not exist yet
 */
export function createInbox({ dir }: { readonly dir: string }): Inbox {
  async function show(id: string, part: string | undefined): Promise<Response> {
    const mail = await readMail(dir, id)
    if (mail === undefined) return answer(missingPage(), INBOX_POLICY, 404)
    if (part === 'html') return answer(framed(mail.html ?? ''), MAIL_POLICY)
    return answer(messagePage(mail, viewOf(part)), INBOX_POLICY)
  }

  return {
    matches: pathname => pathname === INBOX_PATH || pathname.startsWith(`${INBOX_PATH}/`),
    async handle(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
      }
      const { pathname, searchParams } = new URL(request.url)
      const [, id, part] = MESSAGE_PATH.exec(pathname) ?? []
      if (id !== undefined) return show(id, part)
      if (pathname !== INBOX_PATH && pathname !== `${INBOX_PATH}/`) {
        return answer(missingPage(), INBOX_POLICY, 404)
      }
      const to = searchParams.get('to') ?? undefined
      return answer(listPage(await readMails(dir, LISTED, { to })), INBOX_POLICY)
    },
  }
}

function viewOf(part: string | undefined): View {
  return part === 'text' || part === 'raw' ? part : 'letter'
}

/** The mail as it is, with its links leading the whole window instead of the frame. */
function framed(mail: string): Markup {
  const base = html`<base target="_top">`.markup
  const head = /<head\b[^<>]*>/i.exec(mail)
  const at = head === null ? 0 : head.index + head[0].length
  return { markup: mail.slice(0, at) + base + mail.slice(at) }
}

function answer(page: Markup, policy: string, status = 200): Response {
  return new Response(page.markup, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
    },
  })
}
