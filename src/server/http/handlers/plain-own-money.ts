import type { Language } from '#domain/languages.ts'
import { isCurrency } from '#domain/money/currency.ts'
import { OWN_MONEY_FIELDS, readOwnMoney, type WrittenOwnMoney } from '#domain/own-money/own-money.ts'
import { donorSaid } from '#domain/payment/at-payment.ts'
import { purchaseIn } from '#domain/payment/same-purchase.ts'
import { quoteOf } from '#domain/pricing/quote.ts'
import { isProblem } from '#domain/problems.ts'
import type { TypedPoints } from '#domain/redemption/typed-points.ts'
import { defaultTheme, themeIn } from '#domain/themes.ts'
import type { App } from '#server/http/app.ts'
import { checkSender, count, countAtRoom } from '#server/http/pipeline/admit.ts'
import {
  afterRefusal,
  atPayment,
  attemptIn,
  CHANGE,
  PAY,
  pressOf,
  turnAtPayment,
  wordsAtPayment,
} from '#server/http/pipeline/said-at-payment.ts'
import type { CardView } from '#server/modules/gifts/interface.ts'
import {
  type OwnMoneyAnswer,
  type ReceiverAnswer,
  type ReceiverRequest,
  receiverScreen,
} from '#server/modules/story/receiver-screen.ts'
import { afterFailure, POINTS_FIELD, placeOf } from './plain-split.ts'

type Needed = Pick<App, 'cards' | 'limits' | 'content' | 'log' | 'payments' | 'waitingRoom' | 'settings'>

interface Asked {
  readonly form: URLSearchParams
  /** The language of the card's page. */
  readonly languageOf: (card: Language | undefined) => Language
  readonly headers: Pick<Headers, 'get'>
  /** The version of the terms that the page links to. */
  readonly termsVersion: string
}

/** The field with the receipt key of the card's use, which the thanks send along: the parts begin with what was given. */
export const RECEIPT_FIELD = 'receipt'

/** The form before anything is written, in the currency of the card. */
export const emptyOwnMoney = ({ credit }: Pick<CardView, 'credit'>): OwnMoneyAnswer => ({
  attempt: crypto.randomUUID(),
  written: { currency: credit.currency, amount: '', support: '0', parts: [] },
  currency: credit.currency,
  typed: {},
})

/**
 * Answers the form by which a recipient adds own money, with and without scripts: says what has to be written otherwise,
 * shows to whom the money goes before the payment, and opens the payment. A preview opens none, and leads to the thanks.
 */
export async function answerPlainOwnMoney(
  app: Needed,
  request: ReceiverRequest,
  asked: Asked,
): Promise<ReceiverAnswer> {
  const answer = await receiverScreen(app, request)
  if (answer.kind === 'redirect' || !answer.view) return answer
  const { view } = answer
  const { form } = asked
  const field = (name: string): string => form.get(name) ?? ''
  const snapshot = app.content.snapshot()
  const listed = snapshot.ngoList.ngos.map(({ id }) => id)
  const written = writtenIn(form, view)
  const currency = isCurrency(written.currency) ? written.currency : view.credit.currency
  const market = snapshot.markets[currency]
  const read = readOwnMoney(written, currency, listed, { offer: snapshot.offer, mostOwn: market.mostOwn })
  const shown: OwnMoneyAnswer = { attempt: attemptIn(field), written, currency, typed: read.typed }
  const step = field('step')
  if (step === '') {
    count(app, 'redeem', request.clientAddress)
    const parts = await partsOfCard(app, request.giftCardId, field(RECEIPT_FIELD), listed)
    return { ...answer, ownMoney: { ...shown, typed: parts, isOfCard: Object.keys(parts).length > 0 } }
  }
  if (step === CHANGE) return { ...answer, ownMoney: shown }
  if ('faults' in read) return { ...answer, ownMoney: { ...shown, faults: read.faults } }
  const { choice } = read
  const price = quoteOf(choice.entry, choice.supportAmount, currency, market)
  const review = { ...choice, ...atPayment(price, market.identityFrom, field), attempt: shown.attempt }
  const reviewed = { ...shown, review }
  if (step !== PAY || review.lacks.length > 0) return { ...answer, ownMoney: reviewed }
  const to = placeOf(request)
  if (view.authority !== 'full') return { kind: 'redirect', to: to('thanks') }
  try {
    return { ...answer, ownMoney: { ...reviewed, ...(await pay(app, request, asked, { view, review })) } }
  } catch (error) {
    if (isProblem(error) && error.code === 'ngo-not-listed') {
      const parts = { unreadable: [], empty: false, listChanged: true, tooSmall: false }
      return { ...answer, ownMoney: { ...shown, faults: { amount: false, parts } } }
    }
    const after = afterFailure(app, error, to)
    return 'to' in after
      ? { kind: 'redirect', to: after.to }
      : {
          ...answer,
          failure: { ...after, ...(isProblem(error) && { words: wordsAtPayment(error) }) },
          ownMoney: { ...reviewed, review: isProblem(error) ? afterRefusal(review, error) : review },
        }
  }
}

async function pay(
  app: Needed,
  { clientAddress: address }: ReceiverRequest,
  { form, languageOf, headers, termsVersion }: Asked,
  { view, review }: { readonly view: CardView; readonly review: NonNullable<OwnMoneyAnswer['review']> },
): Promise<Pick<OwnMoneyAnswer, 'url' | 'isWaiting' | 'placeCookie'>> {
  checkSender(app, { changes: true, type: 'form' }, { headers })
  countAtRoom(app, 'gateway', { address, headers }, review.attempt)
  const snapshot = app.content.snapshot()
  const { attempt } = review
  const terms = form.get('terms') ?? ''
  const choice = {
    packageId: review.entry.packageId,
    ngoAmount: review.entry.ngoAmount,
    supportAmount: review.supportAmount,
    currency: review.currency,
    themeId: (themeIn(snapshot.themes, view.theme.id) ?? defaultTheme(snapshot.themes)).id,
    parts: review.parts,
    termsVersion,
    fulfilmentConsent: review.said.consents,
    donor: donorSaid(review),
    language: languageOf(view.language),
  }
  const attemptKey = pressOf(attempt, purchaseIn(choice))
  const turn = await turnAtPayment(app, { headers, address, attempt, attemptKey, terms, termsVersion })
  const placeCookie = turn.cookie
  if (turn.kind === 'waiting') return { isWaiting: true, placeCookie }
  return {
    placeCookie,
    ...(await app.payments.startOwnMoney({ ...choice, attemptKey, replacesUnpaid: true })),
  }
}

/** What was given of the card, as its receipt tells, where that is the receipt; an organisation that left the list is left out. */
async function partsOfCard(
  app: Pick<App, 'cards'>,
  giftCardId: string,
  receiptKey: string,
  listed: readonly string[],
): Promise<TypedPoints> {
  if (receiptKey === '') return {}
  const receipt = await app.cards.receipt(receiptKey, giftCardId).catch((error: unknown) => {
    if (isProblem(error) && error.status < 500) return undefined
    throw error
  })
  const given = receipt?.allocations.filter(({ ngoId, points }) => points > 0 && listed.includes(ngoId)) ?? []
  return Object.fromEntries(given.map(({ ngoId, points }) => [ngoId, String(points)]))
}

function writtenIn(form: URLSearchParams, { credit }: CardView): WrittenOwnMoney {
  const empty = { currency: credit.currency, amount: '', support: '0' }
  const texts = Object.fromEntries(
    OWN_MONEY_FIELDS.map(name => [name, form.get(name) ?? empty[name]]),
  ) as Record<(typeof OWN_MONEY_FIELDS)[number], string>
  const parts = [...form]
    .filter(([name]) => name.startsWith(POINTS_FIELD))
    .map(([name, text]) => [name.slice(POINTS_FIELD.length), text] as const)
  return { ...texts, parts }
}
