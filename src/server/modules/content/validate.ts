import { z } from 'zod'
import { CAMPAIGN_SOURCES, isCampaignCode } from '#domain/campaign/campaigns.ts'
import { reservedWords } from '#domain/campaign/reserved-words.ts'
import { isLinkTarget } from '#domain/content/links.ts'
import { LANGUAGES, perLanguage, SOURCE_LANGUAGE } from '#domain/languages.ts'
import { FEE_PAYERS, type PaymentFee } from '#domain/payment/fee.ts'
import type { Offer } from '#domain/pricing/offer.ts'
import { PUBLISHED_PAGES } from '#paths'
import { id, inEveryLanguage, link, listOf, MOST_PARAGRAPH_CHARACTERS, text } from './fields.ts'
import { firstOffer } from './first-offer.ts'
import { markets } from './markets.ts'
import { publishedOffer, storedOffer } from './packages.ts'
import { toHtml } from './portable-text.ts'
import type { ContentSnapshot } from './snapshot.ts'
import { storedThemes, themes } from './themes.ts'
import { memorialPhotos, missions, volunteeringOrganisations } from './volunteering.ts'

/** The content of a snapshot. The code that keeps it adds the time of its release. */
export type PublishedContent = Omit<ContentSnapshot, 'releasedAt'>

const day = z.iso.date().max(10)

const textOrBlank = z
  .string()
  .max(text.maxLength ?? 0)
  .nullish()
  .transform(given => given ?? '')

/**
 * The source language at least, the others blank where they are missing: history names organisations whose
 * texts nobody keeps up any more.
 */
const textWithFallback = inEveryLanguage(textOrBlank).refine(
  given => given[SOURCE_LANGUAGE].trim() !== '',
  'missing in the source language',
)

const mark = z.string().max(100)
const span = z.object({
  _type: z.literal('span'),
  text: z.string().max(MOST_PARAGRAPH_CHARACTERS),
  marks: listOf(mark).nullish(),
})
const linkMark = z.object({
  _key: mark,
  _type: z.literal('link'),
  href: z.string().max(2_000).refine(isLinkTarget),
})

const block = z
  .object({
    _type: z.literal('block'),
    style: z.enum(['normal', 'h2', 'h3']),
    listItem: z.enum(['bullet', 'number']).optional(),
    level: z.int().min(1).max(3).optional(),
    markDefs: listOf(linkMark).default([]),
    children: listOf(span),
  })
  .refine(marksAreKnown, 'a mark without its definition')

/** Portable text with what a page here may hold; anything else (pictures, embeds) has no place to go. */
export const portableText = listOf(block).refine(
  blocks => blocks.some(({ children }) => children.some(child => child.text.trim() !== '')),
  'empty',
)

interface Marked {
  readonly markDefs: readonly { readonly _key: string }[]
  readonly children: readonly { readonly marks?: readonly string[] | null | undefined }[]
}

function marksAreKnown({ markDefs, children }: Marked): boolean {
  const known = new Set(['strong', 'em', ...markDefs.map(definition => definition._key)])
  return children.every(child => (child.marks ?? []).every(mark => known.has(mark)))
}

/** Support and own means pay it where the operator says nothing else. */
const paymentFee = z
  .object({ cost: inEveryLanguage(textOrBlank).nullish(), paidFrom: z.enum(FEE_PAYERS).nullish() })
  .nullish()
  .transform(
    (given): PaymentFee => ({
      cost: given?.cost ?? perLanguage(() => ''),
      paidFrom: given?.paidFrom ?? 'support',
    }),
  )

const settings = z.object({
  siteName: inEveryLanguage(text),
  contactEmail: z.email().max(254),
  tipLink: link,
  companyLink: link,
  professionalNetworkLink: link,
  affiliationNotice: inEveryLanguage(text),
  paymentFee,
  shareTexts: z.object({
    whatsappGroup: inEveryLanguage(text),
    whatsappMessage: inEveryLanguage(text),
    facebookPost: inEveryLanguage(text),
  }),
})

const article = inEveryLanguage(z.string().trim().max(10).nullish()).nullish()

const ngo = z.object({
  id,
  title: inEveryLanguage(text),
  article,
  description: inEveryLanguage(text),
  links: inEveryLanguage(link),
})

const ngoList = z.object({
  year: z.int().min(2000).max(2999),
  reviewedAt: day,
  ngos: listOf(ngo)
    .min(1)
    .refine(ngos => new Set(ngos.map(({ id }) => id)).size === ngos.length, 'an organisation listed twice'),
})

const knownNgos = listOf(z.object({ id: z.string().max(128), title: textWithFallback, article }))

/** Bodies of the pages as the Content Lake holds them; on the way they become markup. */
const pages = z.object({
  'who-we-are': inEveryLanguage(portableText.transform(toHtml)),
  'cookie-policy': inEveryLanguage(portableText.transform(toHtml)),
})

const RESERVED_WORDS = reservedWords(PUBLISHED_PAGES.map(({ path }) => path))

const operator = z
  .object({
    legalName: text,
    legalForm: inEveryLanguage(text),
    taxNumber: text,
    register: inEveryLanguage(text),
    seat: text,
    secondContact: text,
    // Not every operator has a supervising authority.
    supervisor: inEveryLanguage(textOrBlank)
      .nullish()
      .transform(given => given ?? perLanguage(() => '')),
    host: text,
  })
  .nullish()
  .transform(given => given ?? null)

/** A site shows its other pages also before its texts of the law are written. */
const legalText = inEveryLanguage(portableText.transform(toHtml))
  .nullish()
  .transform(given => given ?? null)
const legalTexts = z.object({ 'legal-notice': legalText, terms: legalText, privacy: legalText })

const campaignCode = z
  .string()
  .max(100)
  .refine(isCampaignCode, 'letters, digits and hyphens only')
  .refine(code => !RESERVED_WORDS.has(code.toLowerCase()), 'a word that the site uses itself')

const campaign = {
  language: z.enum(LANGUAGES),
  source: z.enum(CAMPAIGN_SOURCES),
  active: z.boolean(),
}
const adCampaigns = listOf(z.object({ code: campaignCode, ...campaign }))
const freeCampaigns = listOf(
  z.object({ tag: campaignCode, ...campaign, stock: z.int().min(0).max(1_000_000) }),
)

const volunteering = { volunteeringOrganisations, missions, memorialPhotos }

export const published = z
  .object({
    settings,
    operator,
    markets,
    offer: publishedOffer,
    ngoList,
    pages,
    legalTexts,
    themes,
    knownNgos,
    adCampaigns,
    freeCampaigns,
    ...volunteering,
  })
  .refine(codesAreUnique, { path: ['freeCampaigns'], message: 'two campaigns of one name' })

/** What the check expects of the Content Lake's answer. */
export type ExpectedAnswer = z.input<typeof published>

/** The most characters of a page's paragraphs together. */
const html = z.string().min(1).max(1_000_000)

const keptText = inEveryLanguage(html).nullable()

export const stored = z.object({
  releasedAt: z.int().nonnegative(),
  settings,
  ngoList,
  pages: z.object({ 'who-we-are': inEveryLanguage(html), 'cookie-policy': inEveryLanguage(html) }),
  knownNgos,
  // Content kept by an earlier version had none.
  offer: storedOffer.optional().transform((given): Offer => given ?? firstOffer()),
  operator: operator.default(null),
  markets,
  legalTexts: z
    .object({ 'legal-notice': keptText, terms: keptText, privacy: keptText })
    .default({ 'legal-notice': null, terms: null, privacy: null }),
  adCampaigns: adCampaigns.default([]),
  freeCampaigns: freeCampaigns.default([]),
  volunteeringOrganisations: volunteeringOrganisations.default([]),
  missions: missions.default([]),
  memorialPhotos: memorialPhotos.default([]),
  themes: storedThemes,
})

interface Named {
  readonly adCampaigns: readonly { readonly code: string }[]
  readonly freeCampaigns: readonly { readonly tag: string }[]
}

/** Ads and free campaigns share one row of names, and capitals make no difference. */
function codesAreUnique({ adCampaigns, freeCampaigns }: Named): boolean {
  const codes = [...adCampaigns.map(({ code }) => code), ...freeCampaigns.map(({ tag }) => tag)]
  return new Set(codes.map(code => code.toLowerCase())).size === codes.length
}

/** Content that broke a rule. The message names the fields and rules, one a line, in the operator's reach. */
export class BrokenContent extends Error {
  override readonly name = 'BrokenContent'
}

/** Is this error a BrokenContent? Its name decides, since the bundle and the server each have a class of it. */
export const isBrokenContent = (error: unknown): error is BrokenContent =>
  error instanceof Error && error.name === 'BrokenContent'

/** Checks the Content Lake's answer to `EVERYTHING_PUBLISHED` and makes content of it. Throws BrokenContent. */
export function validateContent(answer: unknown): PublishedContent {
  return check(published, answer)
}

/** Checks a snapshot that was read back from disk. Throws BrokenContent. */
export function validateSnapshot(value: unknown): ContentSnapshot {
  return check(stored, value)
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  throw new BrokenContent(
    checked.error.issues.map(issue => `${issue.path.join('.') || '(all)'}: ${issue.message}`).join('\n'),
  )
}
