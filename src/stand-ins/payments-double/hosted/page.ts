import { TEST_CARDS } from '#stand-ins/payments-double/cards.ts'
import type { LineItem, Session } from '#stand-ins/payments-double/objects.ts'
import { SCRIPT, STYLE } from './style.ts'
import { fill, type PageLanguage, type Texts, textsIn } from './texts.ts'

export type FieldName = 'email' | 'card_number' | 'expiry' | 'cvc'

/** What the form is shown with: the texts beside its fields, and what the buyer need not type again. */
export interface FormState {
  readonly email: string
  readonly expiry: string
  readonly errors: Readonly<Partial<Record<FieldName, string>>>
}

export interface View {
  readonly language: PageLanguage
  readonly session: Session
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, sign => ENTITIES[sign]!)

/** An amount in minor units, written in the session's currency (all of them have two decimals). */
export function writeAmount(language: PageLanguage, amount: number, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency, useGrouping: 'always' }).format(
    amount / 100,
  )
}

/** The form: what is bought, who pays, with which card. */
export function paymentPage(
  { language, session }: View,
  items: readonly LineItem[],
  form: FormState,
): string {
  const t = textsIn(language)
  const write = (amount: number) => writeAmount(language, amount, session.currency)
  const total = write(session.amount_total)
  const donating = session.submit_type === 'donate'
  const debit = session.payment_method_types.includes('sepa_debit')
  const fixedEmail = session.customer_email !== null
  return document(
    t,
    language,
    total,
    `${backLink(t, session)}
<h1>${donating ? t.donation : t.payment}</h1>
<p class="amount">${escapeHtml(total)}</p>
<dl>
${items.map(item => itemRow(t, item, write)).join('\n')}
<div class="total"><dt>${t.total}</dt><dd>${escapeHtml(total)}</dd></div>
</dl>
<form method="post" novalidate>
${Object.keys(form.errors).length > 0 ? `<p class="wrong" role="alert">${t.checkFields}</p>` : ''}
${field(form, 'email', t.email, `type="email" autocomplete="email" maxlength="254" value="${escapeHtml(form.email)}"${fixedEmail ? ' readonly' : ''}`)}
${field(form, 'card_number', debit ? t.numberOrIban : t.number, `inputmode="${debit ? 'text' : 'numeric'}" autocomplete="cc-number" maxlength="40" spellcheck="false"`)}
<div class="pair">
${field(form, 'expiry', t.expiry, `inputmode="${debit ? 'text' : 'numeric'}" autocomplete="cc-exp" maxlength="9" value="${escapeHtml(form.expiry)}"`, t.expiryHint)}
${field(form, 'cvc', t.cvc, 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"', t.cvcHint)}
</div>
<button data-action="pay">${escapeHtml(fill(donating ? t.donate : t.pay, 'amount', total))}</button>
</form>
${cardTable(t, session, form.errors.card_number !== undefined)}`,
  )
}

/** The bank's question of 3-D Secure. */
export function challengePage({ language, session }: View): string {
  const t = textsIn(language)
  const total = writeAmount(language, session.amount_total, session.currency)
  return document(
    t,
    language,
    total,
    `<h1 class="sentence">${t.askTitle}</h1>
<p>${escapeHtml(fill(t.askText, 'amount', total))}</p>
<form method="post">
<button name="challenge" value="pass" data-action="confirm">${t.askYes}</button>
<button name="challenge" value="fail" data-action="cancel" class="second">${t.askNo}</button>
</form>`,
    'challenge',
  )
}

/** What is left to say of a page that takes no payment: paid, expired or unknown (then without a session). */
export function closedPage(language: PageLanguage, session: Session | undefined, successUrl: string): string {
  const t = textsIn(language)
  const say = (title: string, text: string, link: string) =>
    document(t, language, title, `<h1 class="sentence">${title}</h1>\n<p>${text}</p>\n${link}`, 'closed')
  if (!session) return say(t.unknownTitle, t.unknownText, '')
  if (session.status === 'expired') return say(t.expiredTitle, t.expiredText, backLink(t, session))
  return say(
    t.paidTitle,
    t.paidText,
    `<a class="button" href="${escapeHtml(successUrl)}" data-action="continue">${t.paidLink}</a>`,
  )
}

function document(t: Texts, language: PageLanguage, subject: string, content: string, step = 'form'): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${t.title} · ${escapeHtml(subject)}</title>
<link rel="icon" href="data:,">
<script>${SCRIPT}</script>
<style>${STYLE}</style>
</head>
<body>
<header class="test"><strong>TEST</strong> · ${t.test}</header>
<main data-screen="hosted-payment" data-step="${step}">
${content}
</main>
</body>
</html>
`
}

function backLink(t: Texts, session: Session): string {
  if (session.cancel_url === null) return ''
  return `<a class="back" href="${escapeHtml(session.cancel_url)}" data-action="back"><span aria-hidden="true">←&nbsp;</span>${t.back}</a>`
}

function itemRow(t: Texts, item: LineItem, write: (amount: number) => string): string {
  const count = item.quantity > 1 ? `<small>${fill(t.quantity, 'count', String(item.quantity))}</small>` : ''
  return `<div><dt>${escapeHtml(item.description)}${count}</dt><dd>${escapeHtml(write(item.amount_total))}</dd></div>`
}

/** A labelled field with its hint and error; the first wrong one takes the focus. */
function field(form: FormState, name: FieldName, label: string, attributes: string, hint?: string): string {
  const error = form.errors[name]
  const first = Object.keys(form.errors)[0] === name
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return `<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes} aria-required="true"${described ? ` aria-describedby="${described}"` : ''}${error ? ' aria-invalid="true"' : ''}${first ? ' autofocus' : ''}>
${hint ? `<small id="${name}-hint">${hint}</small>` : ''}
${error ? `<p class="wrong" id="${name}-error">${escapeHtml(error)}</p>` : ''}
</div>`
}

/** Folded away, until the buyer needs a number. */
function cardTable(t: Texts, session: Session, open: boolean): string {
  const rows = TEST_CARDS.filter(card => session.payment_method_types.includes(card.method)).map(
    card => `<tr><th scope="row">${card.number}</th><td>${t.notes[card.note]}</td></tr>`,
  )
  const iban = session.payment_method_types.includes('sepa_debit') ? ` ${t.cardsIban}` : ''
  return `<details${open ? ' open' : ''}>
<summary>${t.cards}</summary>
<p>${t.cardsHint}${iban}</p>
<table>
<thead><tr><th scope="col">${t.cardColumn}</th><th scope="col">${t.noteColumn}</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</details>`
}
