import type { GIFT_CARD_ENTRIES } from '#domain/pricing/gift-card-entries.ts'
import type { PACKAGES } from '#domain/pricing/packages.ts'
import type { ProblemCode } from '#domain/problems.ts'
import type { SeedThemeId } from '#domain/themes.ts'
import type { Answer } from '#domain/volunteering/answer.ts'
import type { TextKey } from './catalogues.ts'

type Package = (typeof PACKAGES)[keyof typeof PACKAGES]
type OtherCard = (typeof GIFT_CARD_ENTRIES)[keyof typeof GIFT_CARD_ENTRIES]

/** Accepts keys of the catalogue only. */
type Known<Key extends TextKey> = Key

/**
 * The texts that tables of the domain name, or that are made of an id of theirs. An entry of a table whose text the
 * catalogue lacks does not compile: it is told here, by its key.
 */
export type TableText = Known<
  | `problem-${ProblemCode}`
  | `theme-${SeedThemeId}`
  | Package['title' | 'description' | 'subtitleStart' | 'subtitleKeep']
  | NonNullable<Package['citation']>['title' | 'place']
  | `package-${Package['kind']}-title`
  | OtherCard['title' | 'subtitle']
  | `mail-answer-opening-${Answer}`
>
