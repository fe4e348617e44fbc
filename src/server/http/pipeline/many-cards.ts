import type { ReadList } from '#domain/card/gift-rows.ts'
import { type InvoiceField, type InvoiceTo, invoiceFaults, writtenTo } from '#domain/invoice/invoice.ts'
import type { Language } from '#domain/languages.ts'
import { type Currency, defaultCurrency } from '#domain/money/currency.ts'
import { type AtPayment, donorSaid } from '#domain/payment/at-payment.ts'
import { purchaseIn } from '#domain/payment/same-purchase.ts'
import { quoteOf, quoteOfMany } from '#domain/pricing/quote.ts'
import { isProblem, Problem } from '#domain/problems.ts'
import {
  currencyOf,
  MANY_FIELDS,
  type ManyChoice,
  type ManyFault,
  readMany,
  type WrittenMany,
} from '#domain/sender/many-cards.ts'
import { readSender } from '#domain/sender/sender-name.ts'
import { defaultTheme, themeIn } from '#domain/themes.ts'
import { invoicePath } from '#paths'
import type { App } from '#server/http/app.ts'
import type { Waiting } from '#server/modules/waiting-room/interface.ts'
import { checkSender, countAtRoom } from './admit.ts'
import { decodeList, readGiftList } from './read-list.ts'
import {
  afterRefusal,
  atPayment,
  attemptIn,
  CHANGE,
  INVOICE,
  PAY,
  pressOf,
  turnAtPayment,
} from './said-at-payment.ts'

/** What is shown before the payment, with the price of all cards. */
export type ManyReview = ManyChoice &
  AtPayment & {
    /** Whom an invoice would be made out to; undefined where none is offered in this currency. */
    readonly invoice: WrittenInvoice | undefined
  }

interface WrittenInvoice {
  readonly written: InvoiceTo
  /** Nothing is wrong yet where no invoice is pressed for. */
  readonly faults: readonly InvoiceField[]
}

/** What the page shows. */
export interface ManyView {
  readonly written: WrittenMany
  /** Tells the payment of this form from every other one; undefined where nothing was read. */
  readonly attempt: string | undefined
  readonly currency: Currency
  readonly list: ReadList
  readonly faults: readonly ManyFault[]
  /** Undefined where the form is shown. */
  readonly review: ManyReview | undefined
  /** Why the payment cannot be opened now. */
  readonly refused: Problem | undefined
  readonly waiting: Waiting | undefined
  /** The `Set-Cookie` that keeps a place in the line, or takes it away from whoever was let in. */
  readonly placeCookie: string | undefined
  /** The provider's page, to which the buyer is sent. */
  readonly url: string | undefined
  /** The page of the invoice that was made. */
  readonly invoicePath: string | undefined
}

interface Asked {
  readonly app: App
  readonly request: Request
  readonly language: Language
  /** The address behind trusted proxies. */
  readonly address: string
  /** The version of the terms that the page links to. */
  readonly termsVersion: string
}

const NOTHING: ReadList = { rows: [], bad: [] }

/** A form in which nothing is written yet. */
export function emptyMany(app: Pick<App, 'content'>, language: Language): WrittenMany {
  const { themes } = app.content.snapshot()
  const empty = Object.fromEntries(MANY_FIELDS.map(field => [field, ''])) as Record<
    (typeof MANY_FIELDS)[number],
    string
  >
  return { ...empty, currency: defaultCurrency([language]), support: '0', theme: defaultTheme(themes).id }
}

/**
 * Takes the form by which many cards are bought: says what has to be written otherwise, shows all of it before the payment,
 * and opens the payment. Whatever is wrong, what was written is shown again.
 */
export async function takeMany(asked: Asked): Promise<ManyView> {
  const { app, language } = asked
  const empty = {
    written: emptyMany(app, language),
    attempt: undefined,
    currency: defaultCurrency([language]),
    list: NOTHING,
    faults: [],
    review: undefined,
    refused: undefined,
    waiting: undefined,
    placeCookie: undefined,
    url: undefined,
    invoicePath: undefined,
  }
  let view: ManyView = empty
  try {
    const { headers } = asked.request
    checkSender(app, { changes: true, type: 'upload' }, { headers })
    const form = await readMultipart(asked.request)
    const attempt = attemptIn(name => textIn(form, name))
    view = lookAt(app, form, { ...empty, attempt, written: await writtenIn(form, empty.written) })
    // Counted once it was read: whoever is refused is shown what they wrote.
    countAtRoom(app, 'gateway', { address: asked.address, headers }, attempt)
    const { review } = view
    const step = textIn(form, 'step')
    if (review === undefined || (step !== PAY && step !== INVOICE)) return view
    if (review.lacks.length > 0 || (step === INVOICE && review.invoice?.faults.length !== 0)) return view
    return { ...view, ...(await pay(asked, { ...view, review }, { step, terms: textIn(form, 'terms') })) }
  } catch (error) {
    if (!isProblem(error)) throw error
    return { ...view, refused: error, review: view.review && afterRefusal(view.review, error) }
  }
}

/** What the form comes to: what is wrong with it, or what it buys. */
function lookAt(app: App, form: FormData, empty: ManyView & { readonly attempt: string }): ManyView {
  const { written, attempt } = empty
  const currency = currencyOf(written, empty.currency)
  const list = readGiftList(written.list)
  const view = { ...empty, currency, list }
  const step = textIn(form, 'step')
  if (step === CHANGE) return view
  const { offer, markets } = app.content.snapshot()
  const read = readMany(written, list, currency, { offer, mostOwn: markets[currency].mostOwn })
  if ('faults' in read) return { ...view, faults: read.faults }
  const { choice } = read
  const one = quoteOf(choice.entry, choice.supportAmount, currency, markets[currency])
  const price = quoteOfMany(one, choice.cards)
  const asked = atPayment(price, markets[currency].identityFrom, name => textIn(form, name))
  const invoice = app.settings.invoiceAccounts[currency] && readInvoice(form, step)
  return { ...view, review: { ...choice, ...asked, attempt, invoice: invoice || undefined } }
}

const readInvoice = (form: FormData, step: string): WrittenInvoice => {
  const written = writtenTo(field => textIn(form, `invoice-${field}`))
  return { written, faults: step === INVOICE ? invoiceFaults(written) : [] }
}

async function pay(
  { app, request, language, address, termsVersion }: Asked,
  { written, review }: ManyView & { readonly review: ManyReview },
  { step, terms }: { readonly step: string; readonly terms: string },
): Promise<Partial<ManyView>> {
  const { entry, supportAmount, currency, message, cards, rows, said, attempt } = review
  const { themes } = app.content.snapshot()
  const choice = {
    packageId: entry.packageId,
    ngoAmount: entry.ngoAmount,
    supportAmount,
    currency,
    themeId: themeIn(themes, written.theme)?.id ?? defaultTheme(themes).id,
    sender: readSender('own', written.sender) ?? { kind: 'anonymous' },
    fallbackNgoId: written.fallback || null,
    message,
    cards,
    ...(rows.length > 0 && { rows }),
    termsVersion: terms,
    fulfilmentConsent: said.consents,
    donor: donorSaid(review),
    language,
  }
  const invoice = step === INVOICE ? review.invoice?.written : undefined
  const attemptKey = pressOf(attempt, invoice ? { ...choice, invoice } : purchaseIn(choice))
  const payer = { headers: request.headers, address, attempt, attemptKey, terms, termsVersion }
  const turn = await turnAtPayment(app, payer)
  const placeCookie = turn.cookie
  if (turn.kind === 'waiting') return { waiting: turn, placeCookie }
  if (!invoice)
    return {
      placeCookie,
      ...(await app.payments.startDonation({ ...choice, attemptKey, replacesUnpaid: true })),
    }
  const { orderId, key } = await app.payments.startInvoice({ ...choice, attemptKey, invoice })
  return { placeCookie, invoicePath: `${invoicePath(orderId, key)}?lang=${language}` }
}

/** How much may come is bounded before anything of it is read (router/uploads.ts). @throws Problem invalid-fields */
async function readMultipart(request: Request): Promise<FormData> {
  return request.formData().catch(() => {
    throw new Problem('invalid-fields', { fields: [{ path: '', rule: 'complete' }] })
  })
}

function textIn(form: FormData, field: string): string {
  const value = form.get(field)
  return typeof value === 'string' ? value : ''
}

/** What was written, with the list of a file behind the one that was typed: no file stays chosen in a page that is shown again. */
async function writtenIn(form: FormData, empty: WrittenMany): Promise<WrittenMany> {
  const texts = Object.fromEntries(
    MANY_FIELDS.map(field => [field, form.has(field) ? textIn(form, field) : empty[field]]),
  ) as Record<(typeof MANY_FIELDS)[number], string>
  const file = form.get('file')
  const sent = file instanceof File ? decodeList(new Uint8Array(await file.arrayBuffer())) : ''
  const list = [texts.list, sent].filter(each => each.trim() !== '').join('\n')
  return { ...texts, list }
}
