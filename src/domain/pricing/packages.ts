import type { TableByLanguage } from '../languages.ts'
import type { Wording } from './wording.ts'

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

/** A source for what a description says: its number in the text, and where it can be read, by language. */
export interface Citation {
  readonly number: number
  readonly links: TableByLanguage<string>
}

/** The five paid packages, by the id that they are stored, sent and sold under. */
export const PACKAGE_IDS = [
  'keep the chain',
  'their food',
  'their water',
  'their homes',
  'their lifes',
] as const

export type PackageId = (typeof PACKAGE_IDS)[number]

/** A paid package. Its texts are locale keys; its price is the pricing strategy's (product.md#packages). */
export interface DonationPackage {
  readonly kind: CardKind
  readonly title: Wording
  readonly subtitle: Wording
  readonly description: string
  /** null where the description claims nothing that needs a source. */
  readonly citation: Citation | null
}

/** The line under a package's title: who begins a chain is told so, and who was given one is asked to keep it. */
function subtitleOf<Kind extends CardKind>(kind: Kind) {
  return [
    {
      key: `package-${kind}-subtitle-start`,
      name: 'start',
      probability: 1,
      otherFiltering: 'start-chain',
    },
    {
      key: `package-${kind}-subtitle-keep`,
      name: 'keep',
      probability: 1,
      otherFiltering: 'keep-chain',
    },
  ] as const
}

export const PACKAGES = {
  'keep the chain': {
    kind: 'chain',
    title: 'package-chain-title',
    subtitle: subtitleOf('chain'),
    description: 'package-chain-description',
    citation: null,
  },
  'their food': {
    kind: 'food',
    title: 'package-food-title',
    subtitle: subtitleOf('food'),
    description: 'package-food-description',
    citation: {
      number: 1,
      links: { es: 'https://es.wfp.org/', en: 'https://www.wfp.org/', fr: 'https://fr.wfp.org/' },
    },
  },
  'their water': {
    kind: 'water',
    title: 'package-water-title',
    subtitle: subtitleOf('water'),
    description: 'package-water-description',
    citation: {
      number: 2,
      links: {
        es: 'https://www.unicef.org/es',
        en: 'https://www.unicef.org/',
        fr: 'https://www.unicef.org/fr',
      },
    },
  },
  'their homes': {
    kind: 'homes',
    title: 'package-homes-title',
    subtitle: subtitleOf('homes'),
    description: 'package-homes-description',
    citation: {
      number: 3,
      links: {
        es: 'https://www.unrwa.org/',
        en: 'https://www.unrwa.org/',
        fr: 'https://www.unrwa.org/',
      },
    },
  },
  'their lifes': {
    kind: 'lives',
    title: 'package-lives-title',
    subtitle: subtitleOf('lives'),
    description: 'package-lives-description',
    citation: {
      number: 4,
      links: { es: 'https://www.msf.es/', en: 'https://www.msf.org/', fr: 'https://www.msf.fr/' },
    },
  },
} as const satisfies Record<PackageId, DonationPackage>

/** The kinds of card that sell a package. */
export type PackageKind = (typeof PACKAGES)[PackageId]['kind']

export function isPackageId(value: unknown): value is PackageId {
  return (PACKAGE_IDS as readonly unknown[]).includes(value)
}

/** The package that a card of this kind sells; undefined for the kinds that sell none. */
export function packageOfKind(kind: CardKind): PackageId | undefined {
  return Object.keys(PACKAGES)
    .filter(isPackageId)
    .find(id => PACKAGES[id].kind === kind)
}
