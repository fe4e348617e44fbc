import { readKey } from '#domain/card/keys.ts'
import { CARD_PATHS, ID_AND_KEY_PATHS, VOLUNTEERING_CARD_PATHS } from '#paths'
import { READ_CARD_PATH, READ_VOLUNTEERING_CARD_PATH } from '#wire/api-paths.ts'

/** The prefixes before a key in the paths of pages and calls. */
const BEFORE_KEYS = [
  CARD_PATHS,
  VOLUNTEERING_CARD_PATHS,
  beforeParameter(READ_CARD_PATH),
  beforeParameter(READ_VOLUNTEERING_CARD_PATH),
]
const BEHIND_AN_ID = new RegExp(`^((?:${ID_AND_KEY_PATHS.join('|')})[^/]*/)([^/]+)`)

/**
 * The path of a request with its key written as in our links. A key that was typed from paper may be in upper case or
 * in groups, and a message may add a full stop after the link. Everything else stays as it was.
 */
export function withReadKey(path: string): string {
  const before = BEFORE_KEYS.find(start => path.startsWith(start)) ?? BEHIND_AN_ID.exec(path)?.[1]
  if (before === undefined) return path
  const end = path.indexOf('/', before.length)
  const written = path.slice(before.length, end < 0 ? undefined : end)
  const key = readKey(decoded(written))
  return key === undefined ? path : before + key + (end < 0 ? '' : path.slice(end))
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function beforeParameter(path: string): string {
  return path.slice(0, path.indexOf('{'))
}
