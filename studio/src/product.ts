/** What the Studio shares with the site: its only door out of this folder. */
export { CAMPAIGN_SOURCES, type CampaignSource, isCampaignCode } from '../../src/domain/campaign/campaigns.ts'
export { reservedWords } from '../../src/domain/campaign/reserved-words.ts'
export { isLinkTarget, isWebLink } from '../../src/domain/content/links.ts'
export { LANGUAGES, type Language, SOURCE_LANGUAGE } from '../../src/domain/languages.ts'
export { localizedPath, PUBLISHED_PAGES } from '../../src/paths.ts'
