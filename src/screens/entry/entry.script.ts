/**
 * Leads from the entry to the screen that the redirect order names (product.md#entry), leaving no entry to go back to.
 */

import { readCampaign } from '#domain/campaign/campaigns.ts'
import { isCrawler } from '#domain/campaign/crawler.ts'
import { entryScreen, readEntry } from '#domain/campaign/entry.ts'
import { languageOf } from '#domain/languages.ts'
import { parsePath, senderPath } from '#paths'
import { setWay } from '#screens/shared/flow/way.store.ts'
import { FLAG } from '#screens/shared/storage/persisted.ts'
import { tabValue } from '#screens/shared/storage/tab.ts'
import { $developer, entryVisitor, isShortVisitor, noteEntry } from '#screens/shared/visitor/entry.store.ts'
import { ARRIVING_KEY } from '#wire/browser-names.ts'

const arriving = tabValue<boolean>(ARRIVING_KEY, FLAG)

const running = document.querySelector<HTMLElement>('[data-campaigns]')?.dataset.campaigns
// Search engines list the entry itself.
if (running && !isCrawler(navigator.userAgent)) enter(running)

/** @param running the campaigns that run now, as JSON */
function enter(running: string): void {
  const campaigns = (JSON.parse(running) as unknown[]).flatMap(each => readCampaign(each) ?? [])
  const { facts, developer } = readEntry(
    { param: paramOf(location.pathname), shareRef: new URLSearchParams(location.search).get('shareRef') },
    campaigns,
  )
  noteEntry(facts)
  if (developer) $developer.set(true)
  const { lang } = document.documentElement
  // Nobody has seen anything yet: the focus is left alone on the screen that comes (screens/shared/shell/shell.ts).
  if (!document.referrer.startsWith(`${location.origin}/`)) arriving.set(true)
  const screen = entryScreen(entryVisitor())
  if (screen === 'packages-donation' && isShortVisitor()) setWay('short')
  location.replace(senderPath(languageOf(lang), screen))
}

/** The one segment after the language, or ''; one that is broken says nothing. */
function paramOf(pathname: string): string {
  try {
    return decodeURIComponent(parsePath(pathname).rest.slice(1))
  } catch {
    return ''
  }
}
