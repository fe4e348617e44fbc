import { html, type Markup } from './html.ts'
import type { KeptMail } from './mails.ts'
import { STYLE } from './style.ts'

export const INBOX_PATH = '/_local/mail'

/** The ways to look at one mail. */
const VIEWS = ['letter', 'text', 'raw'] as const
export type View = (typeof VIEWS)[number]

const VIEW_NAMES: Readonly<Record<View, string>> = { letter: 'Letter', text: 'Text', raw: 'Source' }

/** Where a mail's view is. */
function viewPath(id: string, view: View): string {
  return view === 'letter' ? `${INBOX_PATH}/${id}` : `${INBOX_PATH}/${id}/${view}`
}

export function listPage(mails: readonly KeptMail[]): Markup {
  const rows = mails.map(
    mail => html`<li>
      <a href="${viewPath(mail.id, 'letter')}" data-mail="${mail.id}" data-to="${mail.to}">
        <span class="subject">${mail.subject}</span>
        <span class="to">${mail.to}</span>
        <time datetime="${mail.date}">${momentText(mail.date)}</time>
      </a>
    </li>`,
  )
  const list =
    rows.length === 0
      ? html`<p class="note">Nothing yet. What the site sends appears here; reload to look again.</p>`
      : html`<ol class="mails">${rows}</ol>`
  return page(
    'Mail',
    'mail-list',
    html`<h1>Mail</h1>
      <p class="note">Nothing leaves this machine: these mails were kept in a folder instead of sent.</p>
      ${list}`,
  )
}

export function messagePage(mail: KeptMail, view: View): Markup {
  const tabs = VIEWS.map(
    one =>
      html`<a href="${viewPath(mail.id, one)}" data-action="${one}"${current(one === view)}>${VIEW_NAMES[one]}</a>`,
  )
  return page(
    mail.subject,
    'mail-message',
    html`<p class="back"><a href="${INBOX_PATH}" data-action="back">All mail</a></p>
      <h1>${mail.subject}</h1>
      <dl>
        <dt>From</dt><dd>${mail.from}</dd>
        <dt>To</dt><dd>${mail.to}</dd>
        <dt>Date</dt><dd><time datetime="${mail.date}">${momentText(mail.date)}</time></dd>
      </dl>
      <nav aria-label="Views">${tabs}</nav>
      ${body(mail, view)}`,
  )
}

export function missingPage(): Markup {
  return page(
    'No such mail',
    'mail-missing',
    html`<p class="back"><a href="${INBOX_PATH}" data-action="back">All mail</a></p>
      <h1>No such mail</h1>`,
  )
}

function body(mail: KeptMail, view: View): Markup {
  if (view === 'raw') return html`<pre class="source" tabindex="0">${mail.source}</pre>`
  if (view === 'text' || mail.html === undefined) return html`<pre data-part="text">${mail.text}</pre>`
  return html`<iframe
      title="The mail"
      src="${INBOX_PATH}/${mail.id}/html"
      sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
    ></iframe>
    <details>
      <summary>Headers</summary>
      <pre data-part="headers">${mail.headers.join('\n')}</pre>
    </details>`
}

function current(is: boolean): Markup {
  return is ? html` aria-current="page"` : html``
}

/** The date of a mail in words, `21 Nov 2026, 01:02:03 UTC`, or as it is when it is none. */
function momentText(date: string): string {
  const at = Date.parse(date)
  if (Number.isNaN(at)) return date
  const words = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  })
  return `${words.format(at)} UTC`
}

function page(title: string, screen: string, content: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <style>${{ markup: STYLE }}</style>
  </head>
  <body>
    <main data-screen="${screen}">${content}</main>
  </body>
</html>
`
}
