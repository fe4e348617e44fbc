import { isLanguage, type Language } from '#domain/languages.ts'
import { nextScreen, type SenderScreen, SUMMARIES, screenAfterChange, type Way } from '#domain/sender/flow.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { changedGift, changePath, senderPath } from '#paths'

/**
 * The kind of gift that the visitor is changing: this screen was opened from its summary. The address holds it. So it
 * survives a reload and Back, needs no storage, and ends with the change. Undefined where nothing is being changed.
 */
export function changing(): GiftKind | undefined {
  return changedGift(location.search)
}

interface Here {
  readonly screen: SenderScreen
  readonly language: Language
  readonly way: Way
  /** The first screen before another whose choice is missing. */
  readonly missing: (screen: SenderScreen) => SenderScreen | undefined
}

/** Where Continue leads: on along the way, or back to the summary that this screen was opened from. */
export function nextScreenPath({ screen, language, way, missing }: Here): string {
  const kind = changing()
  if (kind === undefined) return senderPath(language, nextScreen(screen, way))
  const next = screenAfterChange(kind, missing(SUMMARIES[kind]))
  return next === SUMMARIES[kind] ? senderPath(language, next) : changePath(language, next, kind)
}

/**
 * On a screen that was opened from the summary, Back leads there too, and the same screen in another language is still
 * opened from it.
 */
export function keepChange(): void {
  const kind = changing()
  if (kind === undefined) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-language]')) {
    const { language } = link.dataset
    if (isLanguage(language)) link.search = location.search
  }
  const { lang } = document.documentElement
  const back = document.querySelector<HTMLAnchorElement>('.crumb [data-action="back"]')
  if (!back || !isLanguage(lang)) return
  delete back.dataset.longHref
  delete back.dataset.forWay
  back.href = senderPath(lang, SUMMARIES[kind])
}
