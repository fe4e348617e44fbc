import { lastDayBefore } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { type Rgb, THEMES, type ThemeId } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { openPaper, PANEL, type Paper } from './paper.ts'
import { drawQr } from './qr.ts'

/** What stands on the paper. */
export interface SheetFacts {
  readonly link: string
  readonly credit: Money
  /** null when anonymous. */
  readonly senderName: string | null
  readonly themeId: ThemeId
  /** The card's own. */
  readonly language: Language
  /** Epoch ms UTC of the end of the card's last day. */
  readonly autoDonateAt: number
  readonly siteName: string
}

const MARGIN = 30
const WIDTH = PANEL.width - 2 * MARGIN
const QR_SIZE = 150
/** How much of the ink is in small print; the rest is paper. */
const SOFT_INK = 0.72

/**
 * A card on one sheet of A4, printed on one side, that folds twice into A6: the cover at the bottom right, its back at
 * the bottom left, the two inner pages above, upside down. Tagged: a screen reader hears cover, inside, back.
 */
export async function cardSheet(facts: SheetFacts): Promise<Buffer> {
  const { language, siteName, themeId } = facts
  const t = getT(language)
  const { background, text } = THEMES[themeId]
  const paper = await openPaper({ language, title: `${t('print-title')} · ${siteName}`, paper: background })
  const inks = { ink: text, soft: softInk(themeId) }
  const name = facts.senderName === null ? '' : paper.writable(facts.senderName)
  cover(paper, inks, { ...facts, name })
  insideLeft(paper, inks, { ...facts, name })
  insideRight(paper, inks, facts)
  back(paper, inks, facts)
  return paper.close()
}

interface Inks {
  readonly ink: Rgb
  readonly soft: Rgb
}

type Named = SheetFacts & { readonly name: string }

function cover(paper: Paper, { ink, soft }: Inks, { language, name }: Named): void {
  const t = getT(language)
  paper.panel('cover', () => {
    const title = { font: 'serif', size: 34, ink, x: MARGIN, width: WIDTH } as const
    const height = paper.heightOf(t('print-cover'), title)
    const top = (PANEL.height - height) / 2 - 16
    paper.write('H1', t('print-cover'), { ...title, y: top })
    if (name)
      paper.write('P', t('print-cover-from', { name }), {
        font: 'sans',
        size: 11,
        ink: soft,
        x: MARGIN,
        y: PANEL.height - 68,
        width: WIDTH,
        lines: 2,
      })
  })
}

function insideLeft(paper: Paper, { ink, soft }: Inks, { language, name }: Named): void {
  const t = getT(language)
  const greeting = name ? t('print-greeting-named', { name }) : t('print-greeting')
  paper.panel('inside-left', () => {
    const large = { font: 'serif', size: name.length > 40 ? 16 : 22, ink, x: MARGIN, width: WIDTH } as const
    const small = { font: 'sans', size: 11, ink: soft, x: MARGIN, width: WIDTH } as const
    const height = paper.heightOf(greeting, large) + 18 + paper.heightOf(t('print-story'), small)
    const top = (PANEL.height - height) / 2
    paper.write('H2', greeting, { ...large, y: top })
    paper.write('P', t('print-story'), { ...small, y: top + 18 + paper.heightOf(greeting, large) })
  })
}

function insideRight(paper: Paper, { ink, soft }: Inks, facts: SheetFacts): void {
  const { language, link, credit, autoDonateAt } = facts
  const t = getT(language)
  paper.panel('inside-right', () => {
    const at = { x: MARGIN, width: WIDTH, align: 'center' } as const
    paper.write('H2', formatMoney(credit, language, 'when-needed'), {
      ...at,
      font: 'serif',
      size: 34,
      ink,
      y: 34,
    })
    paper.write('P', t('print-amount'), { ...at, font: 'sans', size: 11, ink: soft, y: 78 })
    paper.draw(t('print-qr', { link }), doc => drawQr(doc, link, (PANEL.width - QR_SIZE) / 2, 108, QR_SIZE))
    paper.write('P', t('print-scan'), { ...at, font: 'sans', size: 9, ink: soft, y: 272 })
    paper.write('P', link, { ...at, font: 'mono', size: 7.5, ink, y: 300 })
    const date = lastDayBefore(autoDonateAt, language)
    paper.write('P', t('print-last-day', { date }), { ...at, font: 'sans', size: 9, ink, y: 345 })
  })
}

function back(paper: Paper, { ink, soft }: Inks, { language, siteName }: SheetFacts): void {
  const t = getT(language)
  paper.panel('back', () => {
    const at = { x: MARGIN, width: WIDTH, align: 'center' } as const
    paper.write('P', t('print-back'), { ...at, font: 'sans', size: 9, ink: soft, y: PANEL.height - 116 })
    paper.write('P', siteName, { ...at, font: 'serif', size: 12, ink, y: PANEL.height - 62 })
  })
}

/** The ink of small print, towards the paper as on the screens. */
export function softInk(themeId: ThemeId): Rgb {
  const { text, background } = THEMES[themeId]
  const part = (at: 0 | 1 | 2) => Math.round(text[at] * SOFT_INK + background[at] * (1 - SOFT_INK))
  return [part(0), part(1), part(2)]
}
