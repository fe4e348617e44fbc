/** What the Studio shares with the site: its only door out of this folder. */
export { CAMPAIGN_SOURCES, type CampaignSource, isCampaignCode } from '../../src/domain/campaign/campaigns.ts'
export { reservedWords } from '../../src/domain/campaign/reserved-words.ts'
export {
  areReminderDays,
  EARLIEST_REMINDER_DAYS,
  isTermMonths,
  LONGEST_TERM_MONTHS,
  MOST_REMINDERS,
  SHORTEST_TERM_MONTHS,
} from '../../src/domain/card/term.ts'
export { isLinkTarget, isWebLink } from '../../src/domain/content/links.ts'
export { DAY_MS } from '../../src/domain/durations.ts'
export { ENVELOPE_BOX, envelopeShapes } from '../../src/domain/envelope.ts'
export {
  isPictureAsset,
  MOST_PICTURE_BYTES,
  type Picture,
  shownSize,
  WHOLE,
} from '../../src/domain/images/picture.ts'
export { isInvoiceAwaited } from '../../src/domain/invoice/invoice.ts'
export {
  DEFAULT_LANGUAGE,
  LANGUAGES,
  type Language,
  perLanguage,
  SOURCE_LANGUAGE,
} from '../../src/domain/languages.ts'
export {
  amissInLastDayWords,
  areCertificateWords,
  isIdentityAmount,
  type Receipts,
} from '../../src/domain/market.ts'
export { CURRENCIES, type Currency } from '../../src/domain/money/currency.ts'
export { formatMoney } from '../../src/domain/money/format.ts'
export { readAmount } from '../../src/domain/money/read-amount.ts'
export { isTaxShare, isVatRate } from '../../src/domain/money/tax.ts'
export {
  isAmount,
  isReach,
  isSupportFor,
  isTotalPayable,
} from '../../src/domain/pricing/offer-rules.ts'
export { isMostOwn, OWN_PACKAGE } from '../../src/domain/pricing/own-amount.ts'
export { isPackageId } from '../../src/domain/pricing/packages.ts'
export {
  isMotif,
  isPaperLighter,
  isThemeId,
  LEAST_CONTRAST,
  leastContrast,
  MOTIFS,
  type Motif,
  readColour,
} from '../../src/domain/themes.ts'
export {
  FIND_HASH,
  localizedPath,
  OPERATOR_PATHS,
  PUBLISHED_PAGES,
  STUDIO_LOGIN_PATH,
} from '../../src/paths.ts'
/** Types alone: what checks them stays with the site. */
export type {
  ActAnswer,
  ActRequest,
  AudienceAnswer,
  BankFilesAnswer,
  CardFileAnswer,
  ContentStateAnswer,
  DueAnswer,
  FoundAnswer,
  InvoiceActAnswer,
  InvoiceActRequest,
  InvoicesAnswer,
  PartnerActAnswer,
  PartnerActRequest,
  PartnersAnswer,
  PayoutActRequest,
  PayoutsAnswer,
  PeopleActAnswer,
  PeopleActRequest,
  PeopleAnswer,
  StatementAnswer,
  SummaryAnswer,
  WishesAnswer,
} from '../../src/wire/operator.ts'
export { askForPasskey } from '../../src/wire/passkey-client.ts'
