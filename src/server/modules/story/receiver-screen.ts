import { TRY_CARD_ID } from '#domain/card/keys.ts'
import { type Place, placeFor } from '#domain/card/screens.ts'
import { tryCard } from '#domain/card/try-card.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { OwnMoneyChoice, OwnMoneyFaults, WrittenOwnMoney } from '#domain/own-money/own-money.ts'
import type { AtPayment } from '#domain/payment/at-payment.ts'
import type { ProblemCode } from '#domain/problems.ts'
import { isProblem } from '#domain/problems.ts'
import { FIRST_INTRODUCTION, OWN_MONEY_SCREEN, type ReceiverScreen } from '#domain/receiver/introductions.ts'
import type { Allocation, Selection } from '#domain/redemption/split.ts'
import type { SplitFaults, TypedPoints } from '#domain/redemption/typed-points.ts'
import type { WrittenWish } from '#domain/wish/wish.ts'
import { cardPath } from '#paths'
import type { Cards, CardView, Redeemed } from '#server/modules/gifts/interface.ts'
import { secondsToWait } from './seconds-until-next-try.ts'

/** Why a form could not be carried out just now. */
export interface FormFailure {
  readonly code: ProblemCode
  readonly retryAfterSeconds?: number | undefined
  /** The locale key of what is said of it; `problem-<code>` when missing. */
  readonly words?: 'payment-spent' | 'payment-not-understood' | `problem-${ProblemCode}`
}

/** What a wish was answered with: the form again, as it was written, or that it is noted. */
export type WishAnswer =
  | { readonly kind: 'form'; readonly typed: WrittenWish; readonly isNameMissing: boolean }
  | { readonly kind: 'noted'; readonly name: string }

/** Where somebody stands who adds own money (product.md#own-money). */
export interface OwnMoneyAnswer {
  /** Tells what is paid by this form from every other payment, however often it is sent. */
  readonly attempt: string
  readonly written: WrittenOwnMoney
  readonly currency: Currency
  readonly typed: TypedPoints
  /** The parts are those of the gift, as nobody has changed them yet. */
  readonly isOfCard?: boolean
  readonly faults?: OwnMoneyFaults
  /** Undefined where the form is shown. */
  readonly review?: OwnMoneyChoice & AtPayment
  /** Many pay at this moment: a place is held for this one. */
  readonly isWaiting?: boolean
  /** The `Set-Cookie` that keeps the place, or takes it away from whoever was let in. */
  readonly placeCookie?: string | undefined
  /** The provider's page, to which the payer is sent. */
  readonly url?: string
}

/** Where somebody without scripts stands in the split (product.md#split). */
export type PlainSplit =
  /** The numbers, as they were written, and what is wrong with them. */
  | { readonly kind: 'form'; readonly typed: TypedPoints; readonly faults?: SplitFaults | undefined }
  /** The split read back to the cent, and why it could not be given just now. */
  | {
      readonly kind: 'review'
      readonly selection: readonly Selection[]
      readonly allocations: readonly Allocation[]
      /** Tells this attempt from every other one, however often its form is sent. */
      readonly attempt: string
      readonly failure?: FormFailure
    }

export type PathMode = 'preview' | 'final'

export interface ReceiverRequest {
  /** The key in the path, whatever it is. */
  readonly giftCardId: string
  /** What follows the key: `introduction-1/preview`. */
  readonly path: string | undefined
  /** Whose splits are counted. */
  readonly clientAddress: string
  /** What this visitor starts with: the try card is in it. */
  readonly currency: Currency
}

export type ReceiverAnswer =
  | { readonly kind: 'redirect'; readonly to: string }
  | {
      readonly kind: 'show'
      readonly screen: ReceiverScreen
      readonly mode: PathMode
      readonly isTry: boolean
      /** null on `doesnt-exist` only. */
      readonly view: CardView | null
      /** Set on `doesnt-exist` when this visitor has tried too many wrong keys: seconds until the next try counts. */
      readonly retryAfterSeconds?: number
      /** On `select-ngo`, the answer to its form. */
      readonly split?: PlainSplit
      /** On `draw`, `wish` and `own-money`, why their form could not be carried out. */
      readonly failure?: FormFailure
      /** On `draw`, its form came without its tick. */
      readonly isTickMissing?: boolean
      /** On `wish`, the answer to its form. */
      readonly wish?: WishAnswer
      /** On `own-money`, the answer to its form. */
      readonly ownMoney?: OwnMoneyAnswer
      /** On `thanks`, what a form has just given away. */
      readonly given?: Redeemed
    }

/**
 * Which receiver screen answers a path (product.md#story): the screen asked for, or the
 * path of the one that fits. Reads only. Passes every failure on but `card-not-found`, which has its screen: whoever has
 * tried too many wrong keys gets that screen whatever was asked for, and is told when to come back.
 */
export async function receiverScreen(
  app: { readonly cards: Cards },
  request: ReceiverRequest,
): Promise<ReceiverAnswer> {
  const [screen = 'introduction', word] = (request.path ?? '').split('/').filter(Boolean)
  const mode: PathMode = word === 'preview' ? 'preview' : 'final'
  const isTry = request.giftCardId === TRY_CARD_ID
  let view: CardView | null
  try {
    view = isTry ? tryCard(0, request.currency) : await lookUp(app.cards, request.giftCardId, mode)
  } catch (error) {
    const retryAfterSeconds = secondsToWait(error)
    if (retryAfterSeconds === undefined) throw error
    return { kind: 'show', screen: 'doesnt-exist', mode, isTry, view: null, retryAfterSeconds }
  }
  const place: Place = placeFor({ screen, view })
  const shown = place === 'show' ? (screen as ReceiverScreen) : place
  // `introduction` is the door of the story, not a screen of its own. A try gives nothing, so nobody can add to it.
  const target =
    shown === 'introduction' ? FIRST_INTRODUCTION : shown === OWN_MONEY_SCREEN && isTry ? 'select-ngo' : shown
  if (target !== screen) {
    // A reload of the thanks: the browser that has their receipt shows them again, and nobody else's does.
    const wanted = target === 'consumed' && screen === 'thanks' ? '#thanks' : ''
    return { kind: 'redirect', to: cardPath(request.giftCardId, target, mode) + wanted }
  }
  return { kind: 'show', screen: target, mode, isTry, view }
}

async function lookUp(cards: Cards, key: string, mode: PathMode): Promise<CardView | null> {
  try {
    return await cards.open(key, mode === 'preview' ? 'preview' : 'full')
  } catch (error) {
    if (isProblem(error) && error.code === 'card-not-found') return null
    throw error
  }
}
