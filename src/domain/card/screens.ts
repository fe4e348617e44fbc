import {
  DONATION_INTRODUCTIONS,
  FIRST_INTRODUCTION,
  isReceiverScreen,
  MESSAGE_SCREEN,
  OWN_MONEY_SCREEN,
  type ReceiverScreen,
} from '../receiver/introductions.ts'
import type { Authority } from './keys.ts'

/** What decides which screen of a card is shown. */
export interface CardOnScreen {
  readonly authority: Authority
  readonly consumed: boolean
  /** What its giver writes; null without any, and in a preview. */
  readonly message?: unknown
}

export interface ScreenRequest {
  /** The path's word, whatever it says. */
  readonly screen: string
  /** The card; null or undefined when the key opens none, or the call failed. */
  readonly view: CardOnScreen | null | undefined
}

/** `show` the screen asked for, or go to the one named. */
export type Place = 'show' | ReceiverScreen

/**
 * Which screen of a donation card a visitor gets: a missing card leads to `doesnt-exist`, a used one to `consumed`, a
 * word that is no screen to the introduction, and thanks before anything was given to the choice that is missing. The
 * thanks of a used card are not for whoever asks with its key, which the giver holds as well: they come with the answer
 * to the split, and the recipient's browser shows them again. Own money can be added to a used card too. A preview walks
 * through every screen and is never used up.
 */
export function placeFor({ screen, view }: ScreenRequest): Place {
  const place = view ? placeOfCard(screen, view) : 'doesnt-exist'
  return place === screen ? 'show' : place
}

function placeOfCard(screen: string, view: CardOnScreen): ReceiverScreen {
  const preview = view.authority === 'preview'
  if (screen === 'thanks' && preview) return screen
  if (view.consumed && !preview) return screen === OWN_MONEY_SCREEN ? screen : 'consumed'
  if (screen === 'thanks') return 'select-ngo'
  if (screen === MESSAGE_SCREEN && view.message == null)
    return DONATION_INTRODUCTIONS[FIRST_INTRODUCTION].next
  const belongs = isReceiverScreen(screen) && screen !== 'consumed' && screen !== 'doesnt-exist'
  return belongs ? screen : 'introduction'
}
