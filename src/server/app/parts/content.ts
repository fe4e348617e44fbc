import { setImmediate as goOn } from 'node:timers/promises'
import { assetReader } from '#server/modules/content/assets.ts'
import { createContent } from '#server/modules/content/content.ts'
import { createFollower } from '#server/modules/content/follower.ts'
import { createPreview } from '#server/modules/content/preview.ts'
import { createSharedNews } from '#server/modules/content/shared-news.ts'
import { createThemeReleases } from '#server/modules/content/theme-releases.ts'
import { createOffersOnShow } from '#server/modules/gifts/cards/free-offers.ts'
import { createLegal } from '#server/modules/legal/legal.ts'
import { createOffers } from '#server/modules/offers/offers.ts'
import { createPublicFigures } from '#server/modules/public-ledger/public-figures.ts'
import { createPublicStatus } from '#server/modules/reports/public-status.ts'
import { createPreviewPictures } from '#server/modules/story/previews/pictures.ts'
import type { Settings } from '#server/platform/settings.ts'
import type { ApplicationDependencies, Foundation } from './foundation.ts'
import { createShownHead, keysIn } from './ledger-head.ts'
import { contentSource, type MountedSource } from './stand-ins.ts'

/** The published content, what is on offer, and how news of either reach the pages. */
export type ContentParts = Awaited<ReturnType<typeof openContent>>

/**
 * Opens what is read from content: the published pages’ texts, offers, legal texts and themes.
 * @param house where the content is; what the settings say when missing
 */
export async function openContent(
  settings: Settings,
  { db, clock, ownSecret, log, operator, gate }: Foundation,
  onContentChanged: ApplicationDependencies['onContentChanged'],
  house?: MountedSource,
) {
  const { source, lake, mounted } = house ?? (await contentSource(settings, { clock, operator, gate, log }))
  const content = createContent({ source, dataDir: settings.dataDir, log, clock })
  await content.load()
  const legal = createLegal({ db, clock, log, content: content.snapshot })
  const sold = createOffers({ db, clock, log, content: content.snapshot })
  const published = () => content.snapshot().themes
  const themes = createThemeReleases({ db, clock, log, published })
  const previewPictures = createPreviewPictures({ db, published, log })
  const keepVersions = async (): Promise<void> => {
    await legal.keep()
    await themes.keep()
    await sold.keep()
  }
  await keepVersions()
  const offers = createOffersOnShow({ db, log, campaigns: () => content.snapshot().freeCampaigns })
  await offers.refresh()
  const figures = createPublicFigures({ db, clock, log, rest: goOn })
  const ledgerHead = createShownHead(keysIn(settings), figures.current)
  const status = createPublicStatus({ db, clock, log })
  await Promise.all([figures.refresh(), status.refresh()])
  const follower = createFollower({
    // A claim of a free card, here or on another server, changes what pages offer, just as new content does; a new head of
    // the public ledger, or a disturbance of the site, changes what they say of it.
    refresh: async () => {
      const isNews = await content.refresh()
      if (isNews) await keepVersions()
      const changes = [isNews, await offers.refresh(), await figures.refresh(), await status.refresh()]
      return changes.includes(true)
    },
    publish: onContentChanged,
  })
  // Only the Studio shows drafts, so news of drafts is ignored here.
  lake?.onTransaction(({ steps }) => void (steps.some(({ id }) => isPublicId(id)) && follower.nudge()))
  // The content service tells one process; the others learn of it by the database that they share.
  const news = createSharedNews({ db, clock })
  const nudgeAll = async (): Promise<void> => {
    await Promise.all([
      follower.nudge(),
      news.tell().catch((error: unknown) => log.error('content-news-not-shared', error)),
    ])
  }
  const preview = createPreview({ ...ownSecret, isPreviewSecret: content.isPreviewSecret })
  const readAsset = assetReader(source)
  return {
    content,
    legal,
    themes,
    previewPictures,
    selling: { terms: legal.terms, offers: sold },
    offers,
    figures,
    ledgerHead,
    status,
    follower,
    news,
    nudgeAll,
    preview,
    readAsset,
    lake,
    mounted,
  }
}

/** Drafts, versions and the content service's own documents have a dot in their names. */
const isPublicId = (id: string): boolean => !id.includes('.')
