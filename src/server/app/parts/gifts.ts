import { join } from 'node:path'
import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import { count } from '#server/http/pipeline/admit.ts'
import { createAnalytics } from '#server/modules/analytics/analytics.ts'
import { identityLine, nameOfNgo } from '#server/modules/content/snapshot.ts'
import { createInvoiceDesk } from '#server/modules/desk/invoice-desk.ts'
import { createAnswers } from '#server/modules/gifts/answers/answers.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createClaim } from '#server/modules/gifts/cards/claim-free.ts'
import { createGiftLinks, createHeldGifts } from '#server/modules/gifts/cards/gift-links.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { retrieveFree } from '#server/modules/gifts/cards/retrieve-free.ts'
import { createVolunteering } from '#server/modules/gifts/invitations/volunteering.ts'
import { createCheckWords } from '#server/modules/gifts/is-this-real.ts'
import { createSendings } from '#server/modules/gifts/sendings/sendings.ts'
import { createWishes } from '#server/modules/gifts/wishes.ts'
import { createPictures } from '#server/modules/images/pictures.ts'
import { ALARM } from '#server/modules/letters/alarms.ts'
import type { LedgerHead } from '#server/modules/letters/letter.ts'
import { createMail } from '#server/modules/letters/mail.ts'
import { createNewsletter } from '#server/modules/letters/newsletter/newsletter.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { createCertificates } from '#server/modules/payments/certificates/certificates.ts'
import { actOnInvoice } from '#server/modules/payments/invoices/acts.ts'
import { createInvoices, listInvoices } from '#server/modules/payments/invoices/open.ts'
import { createManyOrders } from '#server/modules/payments/many/many.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { createWithdrawals } from '#server/modules/payments/withdrawals/withdrawals.ts'
import { createPhotoBook } from '#server/modules/story/photo-book/photo-book.ts'
import { createPrints } from '#server/modules/story/print/prints.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import type { Settings } from '#server/platform/settings.ts'
import type { ContentParts } from './content.ts'
import type { ApplicationDependencies, Foundation } from './foundation.ts'

/** The modules that make, send or open gifts, and the worker for the outbox. */
export type GiftParts = ReturnType<typeof createGiftParts>

/** Puts together the modules of gifts, payments, letters and what recipients see. */
export function createGiftParts(
  settings: Settings,
  foundation: Foundation,
  { content, ledgerHead, selling, themes, offers, nudgeAll, readAsset }: ContentParts,
  render: ApplicationDependencies['render'],
) {
  const { db, keys, clock, log, transport, alarms, provider, outlasting, limits } = foundation
  const { dataDir, siteUrl, webhookSecret, mailFrom, withdrawalDays } = settings
  const tokens = createTokens(keys.newsletterKey)
  const said = saidBy(content, ledgerHead.forLetters)
  const { market, siteName, listedNgoIds } = said
  const mail = createMail({
    newsletterTokens: tokens,
    db,
    keys,
    clock,
    log,
    render,
    siteUrl,
    transport,
    mailFrom,
    ...said,
    withdrawalDays,
  })
  const handlers = { ...mail.handlers, ...(alarms && { [ALARM]: alarms.handler }) }
  const worker = createWorker({ db, clock, log, handlers, whenDone: mail.whenDone })
  const shared = { db, keys, clock, log, themes, outlasting, onQueued: () => worker.nudge() }
  const payments = createPayments({
    ...shared,
    siteUrl,
    webhookSecret,
    ...provider.clients,
    termOf: market,
    identityFrom: currency => market(currency).identityFrom,
    listedNgoIds,
    ...selling,
    missions: () => content.snapshot().missions,
    outcomeWaitsMs: [100, 200, 300, 400, 500, 500, 500, 500],
  })
  const claim = createClaim({
    ...shared,
    campaigns: () => content.snapshot().freeCampaigns,
    termOf: market,
    onSoldOut: () => void nudgeAll(),
  })
  const photoBook = createPhotoBook({
    dir: join(dataDir, 'photo-book'),
    readAsset,
    content: content.snapshot,
    clock,
    log,
  })
  return {
    mail,
    worker,
    payments,
    photoBook,
    freeCards: {
      claim,
      offers: offers.current,
      retrieve: (privateKey: string) => retrieveFree({ db, keys, clock }, privateKey),
    },
    ...opened({ ...shared, listedNgoIds }, siteUrl),
    answers: createAnswers(shared),
    volunteering: createVolunteering(shared),
    lostLinks: createLostLinks(shared),
    checkWords: createCheckWords(shared),
    wishes: createWishes(shared),
    sendings: createSendings(shared),
    withdrawals: createWithdrawals({ ...shared, ...provider.clients, withdrawalDays }),
    manyOrders: createManyOrders(shared),
    certificates: createCertificates({ ...shared, withdrawalDays, market }),
    ...invoicesOf({ ...shared, listedNgoIds }),
    newsletter: createNewsletter({ ...shared, tokens }),
    analytics: createAnalytics({ db, keys, clock, log, countSession: countingSessions(limits) }),
    prints: createPrints({ db, keys, clock, siteUrl, siteName, market, sandbox: settings.sandbox }),
    pictures: picturesOf(dataDir, { content, readAsset }, log),
  }
}

/** Counts what opens a session of statistics without asking for one, as the door counts those that ask. */
const countingSessions = (limits: Foundation['limits']) => (address: string) =>
  count({ limits }, 'analytics-session', address)

/** Opens cards and the links of gifts, and keeps them open in the browsers. */
const opened = (tools: Parameters<typeof createCards>[0], siteUrl: string) => ({
  cards: createCards(tools),
  giftLinks: createGiftLinks(tools),
  heldGifts: createHeldGifts({ ...tools, secure: siteUrl.startsWith('https:') }),
})

/** The invoices for many cards, as their buyers open them and as the treasurer says what the bank did. */
const invoicesOf = (
  tools: Parameters<typeof createInvoices>[0] & Parameters<typeof actOnInvoice>[1] & DeskTools,
) => ({
  invoices: createInvoices(tools),
  invoiceDesk: createInvoiceDesk({
    ...tools,
    list: db => listInvoices(db, tools.keys),
    carryOut: (trx, asked) => actOnInvoice(trx, tools, asked),
  }),
})

type DeskTools = Omit<Parameters<typeof createInvoiceDesk>[0], 'list' | 'carryOut'>

/** The pictures of the content, in sizes of our own. */
function picturesOf(
  dataDir: string,
  { content, readAsset }: Pick<ContentParts, 'content' | 'readAsset'>,
  log: Log,
) {
  return createPictures({
    dir: join(dataDir, 'pictures'),
    readAsset,
    published: () => content.snapshot().memorialPhotos.map(({ image }) => image),
    log,
  })
}

/** The current facts of the operator's content about the site, its markets and its organisations, and the ledger's head. */
function saidBy(
  { snapshot, listedNgoIds }: Pick<ContentParts['content'], 'snapshot' | 'listedNgoIds'>,
  ledgerHead: () => LedgerHead | undefined,
) {
  return {
    ledgerHead,
    listedNgoIds: () => listedNgoIds(),
    siteName: (language: Language) => snapshot().settings.siteName[language],
    contact: () => snapshot().settings.contactEmail,
    identity: () => identityLine(snapshot().operator),
    ngoName: (ngoId: string, language: Language) => nameOfNgo(snapshot(), ngoId, language),
    market: (currency: Currency) => snapshot().markets[currency],
  }
}
