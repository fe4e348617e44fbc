import { KEY_LENGTH } from '../card/keys.ts'
import { isLanguage, type Language } from '../languages.ts'
import { LEGAL_PAGES } from '../legal/legal-texts.ts'

/** The page that an address names, without anything that belongs to one visitor (product.md#privacy). */
export interface PageRoute {
  /** `/intro/ngo-list`, `/gift-card/{key}/select-ngo/final`; `/` also stands for every ad code. */
  readonly route: string
  /** The language of the path's prefix, where the path has one. */
  readonly language?: Language
}

const WORD = /^[a-z][a-z0-9-]{0,59}$/
const KEY_LIKE = new RegExp(`[a-z2-7]{${KEY_LENGTH}}`)
const CARD_ROOMS = ['gift-card', 'gift-card-volunteering']
const GIFT_LINK_ROOM = 'g'
/** Pages that stand for themselves; every other single word of a path may be anybody's. */
const ROOMS = [
  'intro',
  'who-we-are',
  'cookies-policy',
  'accessibility',
  'transparency',
  'ledger',
  ...LEGAL_PAGES,
  'withdraw',
  'share',
  'newsletter',
  'error',
  'unavailable',
]

/** Reduces a path, with or without its query, to its route. Says `/` for whatever it does not know. */
export function routeOf(address: string): PageRoute {
  const [path = ''] = address.split(/[?#]/)
  const words = path.split('/').filter(Boolean)
  const prefix = words[0]
  const language = isLanguage(prefix) ? prefix : undefined
  return { route: routeOfWords(language ? words.slice(1) : words), ...(language && { language }) }
}

function routeOfWords([room = '', ...rest]: readonly string[]): string {
  // Whatever follows: the page is one, in every theme and language.
  if (room === GIFT_LINK_ROOM) return `/${room}`
  const isCard = CARD_ROOMS.includes(room)
  const words = isCard ? rest.slice(1) : rest
  const isPlain = words.length <= 3 && words.every(word => WORD.test(word) && !KEY_LIKE.test(word))
  if (isCard) return ['', room, '{key}', ...(isPlain ? words : [])].join('/')
  return ROOMS.includes(room) && isPlain ? ['', room, ...words].join('/') : '/'
}
