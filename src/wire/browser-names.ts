/**
 * Every name under which a browser keeps something of ours, and the events by which scripts of a page call each other.
 * Each name is a constant of its own, so that a script carries only those it uses. A test finds a name that is written
 * anywhere else.
 */

/** The prefix of every entry in the browser's storage. */
export const KEY_PREFIX = 'gift:'
export type StorageKey = `${typeof KEY_PREFIX}${string}`

/** Where storage is blocked, the tab's name holds the choices: this, then JSON. */
export const TAB_NAME_PREFIX = 'gift-choices:'
/** Written and removed again, to see whether storage takes anything. */
export const PROBE_KEY = 'gift:probe'

// The visitor's own settings.
export const CONSENT_KEY = 'gift:consent'
export const CALM_KEY = 'gift:calm'
export const DEVELOPER_KEY = 'gift:developer'

// The entries that only pseudo-anonymous statistics may keep.
export const ANALYTICS_USER_KEY = 'gift:analytics-user'
export const ANALYTICS_SESSION_KEY = 'gift:analytics-session'
export const IDENTIFIER_KEYS = [ANALYTICS_USER_KEY, ANALYTICS_SESSION_KEY] as const
/** How many calls this tab has reported. */
export const ANALYTICS_CALLS_KEY = 'gift:analytics-calls'

// What the screens note of a visit, so that they behave as a visitor who was here before expects.
export const PACKAGES_VISITED_KEY = 'gift:packages-visited'
export const NGO_LIST_VISITED_KEY = 'gift:ngo-list-visited'
export const CAME_FROM_RECEIVER_KEY = 'gift:came-from-receiver'
export const RECEIPTS_KEY = 'gift:receipts'
/** These are no choice of the visitor's: after a plain no to the consent question they may not outlive the tab. */
export const VISIT_FLAG_KEYS = [
  PACKAGES_VISITED_KEY,
  NGO_LIST_VISITED_KEY,
  CAME_FROM_RECEIVER_KEY,
  RECEIPTS_KEY,
] as const

// How the visitor came, and how often.
export const ENTRY_KEY = 'gift:entry'
export const VISITOR_KEY = 'gift:visitor'
export const SESSIONS_KEY = 'gift:sessions'
export const SESSION_COUNTED_KEY = 'gift:session-counted'
export const WAY_KEY = 'gift:way'
/** Nobody has seen a screen yet: the one that comes leaves the focus alone. */
export const ARRIVING_KEY = 'gift:arriving'
/** A recipient's story has begun in this browser session. */
export const OPENED_KEY = 'gift:opened'
/** The pages that the tip page and the consent settings lead back to. */
export const TIP_FROM_KEY = 'gift:tip-from'
export const ANSWER_FOR_KEY = 'gift:answer-for'

// What is chosen for an order.
export const THEME_KEY = 'gift:theme'
export const GIFT_KIND_KEY = 'gift:kind'
export const CARD_ORDER_KEY = 'gift:card-order'
export const PACKAGE_KEY = 'gift:package'
export const STRATEGY_KEY = 'gift:strategy'
export const PRICES_KEY = 'gift:prices'
export const INVITATION_PRICES_KEY = 'gift:invitation-prices'
export const CURRENCY_KEY = 'gift:currency'
export const SENDER_KEY = 'gift:sender'
export const MESSAGE_KEY = 'gift:message'
export const SUPPORT_KEY = 'gift:support'
export const FALLBACK_KEY = 'gift:fallback'
export const MISSION_KEY = 'gift:mission'
export const VOLUNTEERING_SENDER_KEY = 'gift:volunteering-sender'
export const VOLUNTEERING_MESSAGE_KEY = 'gift:volunteering-message'
export const VOLUNTEERING_SUPPORT_KEY = 'gift:volunteering-support'

// What was paid for in this tab.
export const LAST_CARD_KEY = 'gift:last-card'
export const CARD_SESSION_KEY = 'gift:card-session'
export const CHECKOUT_SESSION_KEY = 'gift:checkout-session'
export const LAST_INVITATION_KEY = 'gift:last-invitation'
export const INVITATION_PAID_BY_KEY = 'gift:invitation-paid-by'
export const INVITATION_SESSION_KEY = 'gift:invitation-session'

// What is filled in and not finished.
export const SPLIT_KEY = 'gift:split'
export const ATTEMPT_KEY = 'gift:attempt'
/** A press that waits in the line, so that it keeps its place when its page is loaded anew. */
export const WAITING_KEY = 'gift:waiting'
/** The last press for a payment, for whoever comes back to the page of it. */
export const PAYMENT_ATTEMPT_KEY = 'gift:payment-attempt'
export const NEWSLETTER_KEY = 'gift:newsletter'

// The polls.
export const POLL_ANSWERS_KEYS = { 'poll-1': 'gift:poll-1', 'poll-2': 'gift:poll-2' } as const
export const POLL_1_COMPLETED_KEY = 'gift:poll-1-completed'
export const POLL_2_WANTED_KEY = 'gift:poll-2-wanted'
export const POLL_2_COMPLETED_KEY = 'gift:poll-2-completed'
export const UNSENT_POLLS_KEY = 'gift:polls-unsent'
export const AFTER_PAYMENT_KEY = 'gift:after-payment'

// The prefix of the service worker's caches; the name of the build follows.
export const PAGES_CACHE = 'gift:pages:'

// Cookies. Over https those of the operator have a prefix (`src/server/modules/operator/cookies.ts`).
export const LANGUAGE_COOKIE = 'lang'
export const OPERATOR_COOKIE = 'operator'
export const DRAFTS_COOKIE = 'drafts'
/** The prefix of each cookie by which a browser holds a gift; the handle follows. */
export const GIFT_COOKIE = 'gift-'
/** Set with the page behind a gift's link: where it does not come back, the browser refuses cookies. */
export const COOKIES_TAKEN_COOKIE = 'cookies-taken'

// Events, dispatched on the window.
/** The consent question was answered. */
export const CONSENT_CHANGED = 'gift:consent-changed'
/** A call failed; the detail says which and how. */
export const REQUEST_FAILED = 'gift:request-failed'
/** A script has something to tell statistics: the detail has a name and metadata. */
export const TRACK = 'gift:track'
/** The event that tells of a new screen on the same page. */
export const SCREEN_SHOWN = 'gift:screen-shown'
