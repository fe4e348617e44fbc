import type { Language } from '#domain/languages.ts'
import type { MailJobs, MailKind } from '#domain/mail/mail-jobs.ts'
import type { Market } from '#domain/market.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import type { Tokens } from '#server/modules/letters/newsletter/tokens.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { Job } from '#server/platform/outbox/claim.ts'
import type { LedgerHead, MailSite } from './letter.ts'
import type { MailTransport } from './transport.ts'

/** The tools and data that letters are made with. */
export interface MailParts {
  readonly db: Database
  /** Derives a card's keys again: jobs and tables hold none (product.md#gift-cards). */
  readonly keys: {
    /** Is the secret here that keys of this version are made from? Without it a card has no links. */
    knows(version: number): boolean
    privateKey(cardId: string, version: number): string
    publicKey(cardId: string, version: number): string
    renewalKey(cardId: string, version: number): string
    lettersKey(cardId: string): string
    sendingKey(cardId: string, version: number): string
    unwantedKey(addressDigest: string): string
    /** Reads where a gift goes. */
    unseal(sealed: string, about: string): string | undefined
    withdrawalKey(orderId: string, version: number): string
    manyKey(orderId: string, version: number): string
    adviceKey(adviceId: string, version: number): string
    /** Make the links that replace those of a card. */
    nextVersion(version: number): number
    digest(key: string): string
    keyedDigest(text: string): string
    /** Makes seals, so that only what has a whole one is told. */
    readonly mac: Sealer['mac']
    /** The version of a new card's keys. */
    readonly firstVersion: number
  }
  readonly clock: Clock
  /** Renders a page of the site in process and gives its HTML; rejects when the page fails. */
  readonly render: (path: string, locals: object) => Promise<string>
  readonly transport: MailTransport
  /** Origin of the site, without a trailing slash. */
  readonly siteUrl: string
  /** `Name <address>` or an address. */
  readonly mailFrom: string
  /** The published settings: the product's name and the contact mailbox. */
  readonly siteName: (language: Language) => string
  readonly contact: () => string
  /** The operator's identity on one line; undefined until the operator has entered it. */
  readonly identity: () => string | undefined
  /** The newest head of the public ledger; undefined before the first. None when missing. */
  readonly ledgerHead?: () => LedgerHead | undefined
  /** For how many days a purchase can be withdrawn from; as many as the law asks for when missing. */
  readonly withdrawalDays?: number
  /** The operator's settings for a market; nothing is set when missing. */
  readonly market?: (currency: Currency) => Market
  /** The name of an organisation that is, or once was, on the list. */
  readonly ngoName: (ngoId: string, language: Language) => string
  /** Makes the links of the newsletter's mails. */
  readonly newsletterTokens: Tokens
  readonly log: Log
}

/** One handler for each of these kinds of mail. */
export type MailHandlers<Kind extends MailKind> = {
  readonly [Each in Kind]: (job: Job & { readonly payload: MailJobs[Each] }) => Promise<void>
}

/** The site as its letters in a language name it now. */
export function siteIn(
  language: Language,
  { siteUrl, siteName, contact, identity, ledgerHead }: MailParts,
): MailSite {
  return {
    url: siteUrl,
    name: siteName(language),
    contact: contact(),
    identity: identity(),
    ledger: ledgerHead?.(),
  }
}
