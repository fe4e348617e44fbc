import type { CampaignSource } from '#domain/campaign/campaigns.ts'
import type { Picture } from '#domain/images/picture.ts'
import { type Language, SOURCE_LANGUAGE } from '#domain/languages.ts'
import type { LegalPage } from '#domain/legal/legal-texts.ts'
import type { Markets } from '#domain/market.ts'
import type { PaymentFee } from '#domain/payment/fee.ts'
import type { Offer } from '#domain/pricing/offer.ts'
import type { Theme } from '#domain/themes.ts'

/** One value for each language. */
export type PerLanguage<T> = Readonly<Record<Language, T>>

/** Safe markup, made from portable text by `portable-text.ts` and nothing else. */
export type Html = string

/** An organisation that was on some yearly list: what history needs to name it. */
export interface KnownNgo {
  readonly id: string
  /** Blank in a language that has no name for it: show it through `inLanguage`. */
  readonly title: PerLanguage<string>
  /** The article before its name in a sentence, in the languages where it has one: `el`, `the`, `l’`. */
  readonly article?: Readonly<Partial<Record<Language, string | null | undefined>>> | null | undefined
}

/** An organisation of the current list. */
export interface Ngo extends KnownNgo {
  /** One line. */
  readonly description: PerLanguage<string>
  /** The organisation's own page for donors, https. */
  readonly links: PerLanguage<string>
}

export interface NgoList {
  readonly year: number
  /** The day of the yearly review, `YYYY-MM-DD`. */
  readonly reviewedAt: string
  /** In the order of the operator's list; never empty, no organisation twice. */
  readonly ngos: readonly Ngo[]
}

/** The operator's settings of the product. Links are https. */
export interface SiteSettings {
  readonly siteName: PerLanguage<string>
  readonly contactEmail: string
  readonly tipLink: string
  readonly companyLink: string
  readonly professionalNetworkLink: string
  /** The sentence that says the product is not affiliated with the organisations it names. */
  readonly affiliationNotice: PerLanguage<string>
  /** The fee of a payment, and who pays it. */
  readonly paymentFee: PaymentFee
  readonly shareTexts: {
    readonly whatsappGroup: PerLanguage<string>
    readonly whatsappMessage: PerLanguage<string>
    readonly facebookPost: PerLanguage<string>
  }
}

/** The operator's identity, as the law demands it. */
export interface OperatorIdentity {
  readonly legalName: string
  /** The kind of body it is: an association, a foundation. */
  readonly legalForm: PerLanguage<string>
  readonly taxNumber: string
  /** Where it is registered, with its number there. */
  readonly register: PerLanguage<string>
  /** The operator's postal address on one line. */
  readonly seat: string
  /** A second way to reach it beside the mailbox: a telephone number, a form. */
  readonly secondContact: string
  /** The authority that supervises the operator; blank if there is none. */
  readonly supervisor: PerLanguage<string>
  /** The hosting company, with its address. */
  readonly host: string
}

/** A paid advert: its link is one segment, `/AdGirlEs1`. */
export interface AdCampaign {
  readonly code: string
  readonly language: Language
  readonly source: CampaignSource
  readonly active: boolean
}

/** A campaign that gives cards away (product.md#free-cards): its link is its tag. */
export interface FreeCampaign {
  readonly tag: string
  readonly language: Language
  readonly source: CampaignSource
  readonly active: boolean
  /** How many cards can be claimed in all. */
  readonly stock: number
}

/** Where somebody who accepted a volunteering card can offer their time. */
export interface VolunteeringOrganisation {
  readonly id: string
  readonly title: PerLanguage<string>
  readonly description: PerLanguage<string>
  /** The organisation's own page for volunteers, https. */
  readonly links: PerLanguage<string>
}

/** A theme as it is published: how it looks, and what visitors call it. */
export interface PublishedTheme extends Theme {
  readonly names: PerLanguage<string>
  /** Shown where a theme is chosen; one that is not can still be paid with. */
  readonly isOffered: boolean
}

/** What a volunteering card may invite to. */
export interface Mission {
  readonly id: string
  readonly title: PerLanguage<string>
  /** One or two sentences. */
  readonly description: PerLanguage<string>
  /** null where it is bound to no one organisation. */
  readonly organisationId: string | null
}

/** A picture of the photo-book; the first of them are the memorial. */
export interface MemorialPhoto {
  readonly id: string
  readonly author: string
  /** The licence as the credit names it: `CC BY 4.0`. */
  readonly licence: string
  readonly caption: PerLanguage<string>
  /** What the picture shows, for those who cannot see it. */
  readonly alt: PerLanguage<string>
  readonly image: Picture
}

/** How many pictures the memorial shows (product.md#content); the book holds them all. */
export const MEMORIAL_LENGTH = 8

export type PageSlug = 'who-we-are' | 'cookie-policy'

/** Everything published, at one moment: plain JSON, so that it can be written down and read back. */
export interface ContentSnapshot {
  /** When this content was first seen, epoch milliseconds; it changes only when the content does. */
  readonly releasedAt: number
  readonly settings: SiteSettings
  /** What is sold, and for how much. */
  readonly offer: Offer
  readonly ngoList: NgoList
  readonly pages: Readonly<Record<PageSlug, PerLanguage<Html>>>
  /** null until the operator has said it; nothing can be bought before. */
  readonly operator: OperatorIdentity | null
  /** What the operator sets for each market; the product's own where nothing is set. */
  readonly markets: Markets
  /** null for one that the operator has not written; nothing can be bought without the terms. */
  readonly legalTexts: Readonly<Record<LegalPage, PerLanguage<Html> | null>>
  /** Every organisation ever listed, for names in history. */
  readonly knownNgos: readonly KnownNgo[]
  readonly adCampaigns: readonly AdCampaign[]
  readonly freeCampaigns: readonly FreeCampaign[]
  /** In the operator's order. */
  readonly volunteeringOrganisations: readonly VolunteeringOrganisation[]
  readonly missions: readonly Mission[]
  readonly memorialPhotos: readonly MemorialPhoto[]
  /** In the operator's order; at least one is offered. */
  readonly themes: readonly PublishedTheme[]
}

/** The value in the language asked for; in Spanish, the source language, where that one is blank. */
export function inLanguage(localised: PerLanguage<string>, language: Language): string {
  const value = localised[language]
  return value.trim() === '' ? localised[SOURCE_LANGUAGE] : value
}

/** What an organisation is called that is, or once was, on a list; its id where nobody remembers it. */
export function nameOfNgo({ knownNgos }: ContentSnapshot, ngoId: string, language: Language): string {
  const known = knownNgos.find(({ id }) => id === ngoId)
  return known === undefined ? ngoId : inLanguage(known.title, language)
}

/** The operator's identity on one line, for the foot of a letter; undefined until the operator has entered it. */
export function identityLine(operator: OperatorIdentity | null): string | undefined {
  return operator ? [operator.legalName, operator.taxNumber, operator.seat].join(' · ') : undefined
}
