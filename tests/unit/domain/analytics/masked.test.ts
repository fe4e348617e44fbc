import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { masked } from '#domain/analytics/masked.ts'
import { KEY_LENGTH, readKey } from '#domain/card/keys.ts'
import { count } from '#tests/support/counts.ts'

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz234567']
/** One in 750 keys has no digit; broken unevenly it cannot be told from words. */
const key = fc
  .array(fc.constantFrom(...LETTERS), { minLength: KEY_LENGTH, maxLength: KEY_LENGTH })
  .map(letters => letters.join(''))
  .filter(text => /[2-7]/.test(text))
const inAnyCase = fc.tuple(key, fc.boolean()).map(([text, isUpper]) => (isUpper ? text.toUpperCase() : text))

const DASHES = ['-', '–', '—', '\u2010', '\u2011', '\u2212']
const UNSEEN = ['\u200b', '\u200d', '\u00ad', '\u2060', '\ufeff']
const SPACES = [' ', '\n', '\r\n', '\t', '\v', '\f', '\u00a0', '\u2009', '\u202f', '\u3000']
/** What stands between two groups, at most as much as a key may have in it. */
const gapOf = (signs: readonly string[]) =>
  fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 48 }).map(each => each.join(''))

/** A text as it stands, in an address, and in an address within one. */
const CODINGS: readonly ((text: string) => string)[] = [
  text => text,
  encodeURIComponent,
  text => encodeURIComponent(encodeURIComponent(text)),
  text => new URLSearchParams({ a: text }).toString().slice(2),
]

function inGroups(text: string, size: number, gap: string): string {
  return text.match(new RegExp(`.{1,${size}}`, 'g'))!.join(gap)
}

const expectMasked = (broken: string, original: string): void => {
  if (broken.length <= 128) expect(readKey(broken)).toBe(original.toLowerCase())
  for (const coded of CODINGS.map(code => code(broken)))
    expect(masked(`at /gift-card/${coded}/thanks`), JSON.stringify(coded)).toBe('at /gift-card/[key]/thanks')
}
const always = { numRuns: count({ usual: 200, long: 5_000 }) }

describe('a key', () => {
  it('is masked in groups of any size with anything between them', () => {
    fc.assert(
      fc.property(
        inAnyCase,
        fc.integer({ min: 1, max: 31 }),
        gapOf([...DASHES, ...UNSEEN, ...SPACES]),
        (text, size, gap) => expectMasked(inGroups(text, size, gap), text),
      ),
      always,
    )
  })

  it('is masked with one break anywhere', () => {
    fc.assert(
      fc.property(
        inAnyCase.filter(text => /[2-7][a-z]|[a-z][2-7]/i.test(text)),
        fc.integer({ min: 1, max: 31 }),
        gapOf([...DASHES, ...UNSEEN, ...SPACES]),
        (text, at, gap) => expectMasked(`${text.slice(0, at)}${gap}${text.slice(at)}`, text),
      ),
      always,
    )
  })

  it('is masked in groups of four or five with one gap more, or one less', () => {
    fc.assert(
      fc.property(
        inAnyCase,
        fc.constantFrom(4, 5),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        fc.constantFrom(...SPACES),
        (text, size, at, isMore, gap) => {
          const groups = inGroups(text, size, ' ').split(' ')
          const [group = ''] = groups.splice(at, 1)
          if (isMore) groups.splice(at, 0, group.slice(0, 2), group.slice(2))
          else groups[at - 1] += group
          expectMasked(groups.join(gap), text)
        },
      ),
      always,
    )
  })

  it('is masked with dashes and what is not seen anywhere in it', () => {
    fc.assert(
      fc.property(
        inAnyCase,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 31 }), gapOf([...DASHES, ...UNSEEN])), {
          minLength: 1,
          maxLength: 31,
        }),
        (text, gaps) => {
          const between = new Map(gaps)
          expectMasked([...text].map((letter, at) => `${between.get(at) ?? ''}${letter}`).join(''), text)
        },
      ),
      always,
    )
  })

  it('is masked without a digit too, where nothing is seen between its letters', () => {
    expectMasked('abcde\u200bfghijklmn\u00adopqrstuvwxyzabcdef', 'abcdefghijklmnopqrstuvwxyzabcdef')
  })

  it('is masked among other words, whole', () => {
    for (const before of ['', 'my key is ', 'key: ', 'card-', 'K0 '])
      for (const gap of [' ', '-', '\n', '%0B', '%20%20', '-'.repeat(40)]) {
        const text = 'k3vq7mzpxw2tdy5hrbn4cfaeujs6glio'
        const shown = masked(`${before}${inGroups(text, 4, gap)} and nothing else`)
        expect(shown).toContain('[key]')
        for (const part of text.match(/.{4}/g)!) expect(shown).not.toContain(part)
      }
  })
})

/** Each has words that come to the letters of a key, or nearly look like one. */
const ORDINARY = [
  'Jean-Baptiste-Alexandre-Montmorency',
  'Maria-Magdalena-Theresia-Hofmannsthal',
  'Maximiliana-Alexandra-von-Habsburg',
  'a-hyphenated-name-of-thirty-two-letters',
  'responsible development activities',
  'internationalization organisation',
  'A gift for 24 people from all of us, with love',
  'Send 50 euros to 3 organisations of your own choice today',
  'In 2026 we gave 34 cards to 5 families and 2 schools',
  'Regala 25 euros a 4 organizaciones que elijas tú',
  'Para los 32 niños de 2 escuelas del barrio de la Macarena',
  'Organizaciones internacionales humanitarias',
  'Le cadeau de 25 euros pour 3 associations au choix',
  'Joyeux anniversaire pour tes 35 ans, de nous 4',
  'Anticonstitutionnellement parlant',
  'Une carte-cadeau pour celles-et-ceux-qui-donnent-encore',
  'tests/e2e/studio-troubles-the-studio-goes-on-by-itself.test.ts',
  'donation-packages-support-amount donation-sender-name',
  '6f9619ff-8b86-d011-b42d-00cf4fc964ff',
  'Error: ENOENT, open %2Fvar%2Flib%2Fgifts%2Fdatabase',
  'qui%20a%20pr%C3%A9sent%C3%A9%20la%20carte%20en%20fran%C3%A7ais',
  '1 2 3 4 5 6 7',
]

describe('what is no key', () => {
  it.each(ORDINARY)('stays as it is: %s', text => {
    expect(masked(text)).toBe(text)
  })
})
