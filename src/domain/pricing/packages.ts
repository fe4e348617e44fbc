import type { TableByLanguage } from '../languages.ts'

/** The kinds of card that packages-donation can show: free, the five packages, and three that cost nothing there. */
export const CARD_KINDS = [
  'free',
  'chain',
  'food',
  'water',
  'homes',
  'lives',
  'try',
  'help-us',
  'volunteering',
] as const

export type CardKind = (typeof CARD_KINDS)[number]

/** The packages that a site begins with, by the id that they are stored, sent and sold under. The operator has others. */
export const PACKAGE_IDS = [
  'keep the chain',
  'their food',
  'their water',
  'their homes',
  'their lifes',
] as const

export type FirstPackageId = (typeof PACKAGE_IDS)[number]

/** The id of a package: words of small letters and digits, with a space or a hyphen between them. */
const PACKAGE_ID = /^[a-z0-9]+(?:[ -][a-z0-9]+)*$/
/** The longest id that the contract of the gateway accepts. */
const MOST_ID_CHARACTERS = 60

/** Can this be the id of a package? It need not be one that is sold. */
export function isPackageId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_ID_CHARACTERS && PACKAGE_ID.test(value)
}

/** Where the source of a description can be read, by language; its title and the place in it are locale keys. */
interface FirstCitation {
  readonly title: string
  readonly place: string
  readonly links: TableByLanguage<string>
}

/** A package of the first offer. Its texts are locale keys; its price is the pricing strategy's (product.md#packages). */
interface FirstPackage {
  readonly kind: CardKind
  readonly title: string
  readonly subtitleStart: string
  readonly subtitleKeep: string
  readonly description: string
  /** null where the description claims nothing that needs a source. */
  readonly citation: FirstCitation | null
}

/** Where a card stands in an order of the cards. Apart from their texts: screens need no more than this. */
const KINDS = {
  'keep the chain': 'chain',
  'their food': 'food',
  'their water': 'water',
  'their homes': 'homes',
  'their lifes': 'lives',
} as const satisfies Record<FirstPackageId, CardKind>

/** What a package says. Marked, so that a bundle which names no package's texts leaves them all out. */
/* @__NO_SIDE_EFFECTS__ */
function saying<const Kind extends CardKind, Source extends FirstCitation | null>(
  kind: Kind,
  citation: Source,
) {
  return {
    kind,
    title: `package-${kind}-title`,
    subtitleStart: `package-${kind}-subtitle-start`,
    subtitleKeep: `package-${kind}-subtitle-keep`,
    description: `package-${kind}-description`,
    citation,
  } as const
}

/** Where what a description says can be read. */
/* @__NO_SIDE_EFFECTS__ */
function sourceOf<const Kind extends CardKind>(kind: Kind, links: TableByLanguage<string>) {
  return { title: `package-${kind}-source-title`, place: `package-${kind}-source-place`, links } as const
}

export const PACKAGES = {
  'keep the chain': saying('chain', null),
  'their food': saying(
    'food',
    sourceOf('food', { en: 'https://reliefweb.int/report/world/2019-world-food-programme-overview' }),
  ),
  'their water': saying(
    'water',
    sourceOf('water', { en: 'https://www.unicef.org/water-sanitation-and-hygiene-wash' }),
  ),
  'their homes': saying(
    'homes',
    sourceOf('homes', { en: 'https://www.unrwa.org/what-we-do/emergency-response-services' }),
  ),
  'their lifes': saying('lives', sourceOf('lives', { en: 'https://www.msf.org/who-we-are' })),
} as const satisfies Record<FirstPackageId, FirstPackage>

/** The kinds of card that sell a package of the first offer: orders of the cards name them. */
export type PackageKind = (typeof KINDS)[FirstPackageId]

/** Where a card stands: by its own kind where the orders name it, else with the operator's other packages. */
export function kindOfPackage(id: string): PackageKind | 'own' {
  return isFirstPackage(id) ? KINDS[id] : 'own'
}

const isFirstPackage = (id: string): id is FirstPackageId => (PACKAGE_IDS as readonly string[]).includes(id)

/** Does a card of this kind sell a package? */
const sellsPackage = (kind: CardKind): boolean => (Object.values(KINDS) as readonly CardKind[]).includes(kind)

/** An order of the cards with the operator's own packages in it: behind the last of those that the order names. */
export function withOwn(kinds: readonly CardKind[]): readonly (CardKind | 'own')[] {
  const place = kinds.findLastIndex(sellsPackage) + 1
  return [...kinds.slice(0, place), 'own', ...kinds.slice(place)]
}
