import { expect, it } from 'vitest'
import { withReadKey } from '#server/http/pipeline/key-in-path.ts'

const KEY = 'abcdefghijklmnopqrstuvwxyz234567'
const UPPER = KEY.toUpperCase()
const GROUPS = UPPER.match(/.{4}/g)!
const AROUND = [
  ['/gift-card/', ''],
  ['/gift-card/', '/'],
  ['/gift-card/', '/introduction-4/preview'],
  ['/gift-card-volunteering/', ''],
  ['/gift-card-volunteering/', '/introduction-10'],
  ['/api/ajuda/giftcard/', ''],
  ['/api/ajuda/giftcard/', '/final'],
  ['/api/ajuda/giftcard-volunteering/', ''],
  ['/api/ajuda/giftcard-volunteering/', '/answer'],
  ['/new-links/01hzy0000000000000000000aa/', ''],
  ['/gift-letters/01hzy0000000000000000000aa/', ''],
  ['/withdraw/01hzy0000000000000000000aa/', ''],
  ['/many/01hzy0000000000000000000aa/', ''],
  ['/send-for-me/01hzy0000000000000000000aa/', ''],
  [`/not-for-me/${'0a'.repeat(32)}/`, ''],
] as const

it.each([
  ['as it is', KEY],
  ['in upper case', UPPER],
  ['in groups', GROUPS.join('-')],
  ['in groups of a browser', GROUPS.join('%20')],
  ['with a full stop behind it', `${KEY}.`],
  ['in quotes', `%C2%AB${KEY}%C2%BB`],
])('a key %s is read at every path that holds one', (_, written) => {
  for (const [before, behind] of AROUND)
    expect(withReadKey(before + written + behind)).toBe(before + KEY + behind)
})

it('leaves every other path as it was', () => {
  for (const path of [
    '/gift-card/giftcard-try/introduction/preview',
    '/gift-card/%zz/introduction',
    `/gift-card/${UPPER}a/introduction`,
    `/gift-card/${UPPER}%2Fintroduction`,
    '/gift-card/',
    '/gift-card',
    `/${UPPER}`,
    `/es/gift-card/${UPPER}`,
    `/api/ajuda/newsletter/${UPPER}`,
    `/new-links/${UPPER}`,
    `/withdraw/${UPPER}`,
    '/',
  ])
    expect(withReadKey(path)).toBe(path)
})
