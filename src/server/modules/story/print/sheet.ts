import { lastDayBefore } from '#domain/dates.ts'
import { ENVELOPE } from '#domain/envelope.ts'
import type { Language } from '#domain/languages.ts'
import { lastDayWords, type Market } from '#domain/market.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { mixed, type Rgb, type Theme } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { drawEnvelope } from './envelope.ts'
import { openPaper, PANEL, type Paper } from './page-sizes.ts'
import { drawQr } from './qr.ts'

/** What stands on the paper. */
export interface SheetFacts {
  /** What the code holds. */
  readonly link: string
  /** What somebody types who cannot scan it: the address up to the key, without a scheme. The key follows `#`. */
  readonly address: string
  /** The key in groups. */
  readonly key: string
  /** The word that tells that the card is real, where there is one, and where it is typed. */
  readonly check: { readonly word: string | null; readonly address: string }
  readonly credit: Money
  /** Whom the giver of many cards wrote beside this one; null where nobody is named. */
  readonly recipientName: string | null
  /** null when anonymous. */
  readonly senderName: string | null
  /** The giver's own words; null without any. */
  readonly message: string | null
  readonly theme: Theme
  /** The card's own. */
  readonly language: Language
  /** Epoch ms UTC of the end of the card's last day. */
  readonly autoDonateAt: number
  /** The operator's own words for it, where there are any. */
  readonly market: Pick<Market, 'lastDayWords'>
  readonly siteName: string
  /** Is it of a sandbox, and worth nothing? */
  readonly sandbox: boolean
}

const MARGIN = 30
const WIDTH = PANEL.width - 2 * MARGIN
const QR_SIZE = 146
const ENVELOPE_WIDTH = 216
const ENVELOPE_TOP = 92
/** Characters of a recipient's name that the title holds in two lines of its own size. */
const LONG_NAME = 24
/** Points. Nothing on the paper is smaller: it is read by old eyes, too. */
const SMALL = 10
const PLAIN = 11
/** How much of the ink is in small print; the rest is paper. */
const SOFT_INK = 0.72

/**
 * A card on one sheet of A4, printed on one side, that folds twice into A6: the cover at the bottom right, its back at
 * the bottom left, the two inner pages above, upside down. Tagged: a screen reader hears cover, inside, back.
 */
export async function cardSheet(facts: SheetFacts): Promise<Buffer> {
  const { language, siteName, theme } = facts
  const t = getT(language)
  const { background, text } = theme
  const paper = await openPaper({ language, title: `${t('print-title')} · ${siteName}`, paper: background })
  const inks = { ink: text, soft: softInk(theme) }
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

function cover(paper: Paper, { ink, soft }: Inks, { language, name, recipientName, theme }: Named): void {
  const t = getT(language)
  const scale = ENVELOPE_WIDTH / ENVELOPE.width
  const left = (PANEL.width - ENVELOPE_WIDTH) / 2
  const bottom = ENVELOPE_TOP + ENVELOPE.height * scale
  paper.panel('cover', () => {
    paper.adorn(doc => drawEnvelope(doc, theme, { left, top: ENVELOPE_TOP, width: ENVELOPE_WIDTH }))
    const title = { font: 'display', size: 26, ink, x: MARGIN, width: WIDTH, align: 'center' } as const
    const to = recipientName === null ? '' : paper.writable(recipientName)
    // A long name takes three lines, which still end above the foot of the page.
    const size = to.length > LONG_NAME ? 18 : title.size
    const words = to === '' ? t('print-cover') : t('print-cover-to', { name: to })
    paper.write('H1', words, { ...title, size, y: bottom + 36 })
    if (!name) return
    // On the envelope, below its flap.
    const from = { font: 'display', size: 13, ink: soft, x: left + 14, width: ENVELOPE_WIDTH - 28 } as const
    const sender = t('print-cover-from', { name })
    const height = paper.heightOf(sender, { ...from, lines: 2 })
    const middle = ENVELOPE_TOP + ENVELOPE.height * scale * 0.78
    paper.write('P', sender, { ...from, align: 'center', lines: 2, y: middle - height / 2 })
  })
}

/** What stands on a page above the other, and how far apart. */
const PARTED = 18
/** The giver's own words are as large as they can be: 300 wide letters still leave room for the greeting. */
const MESSAGE_SIZES = [14, 12, SMALL] as const

function insideLeft(paper: Paper, { ink, soft }: Inks, { language, name, message }: Named): void {
  const t = getT(language)
  const greeting = name ? t('print-greeting-named', { name }) : t('print-greeting')
  const words = message === null ? '' : paper.writable(message, 'sans')
  paper.panel('inside-left', () => {
    const at = { x: MARGIN, width: WIDTH } as const
    const large = { ...at, font: 'display', size: name.length > 40 ? 17 : 25, ink } as const
    const small = { ...at, font: 'sans', size: PLAIN, ink: soft } as const
    const heights = {
      greeting: paper.heightOf(greeting, large),
      story: paper.heightOf(t('print-story'), small),
    }
    const room = PANEL.height - 2 * MARGIN - heights.greeting - heights.story - 2 * PARTED
    const own = (size: number) => ({ ...at, font: 'sans', size, ink }) as const
    const size = MESSAGE_SIZES.find(each => paper.heightOf(words, own(each)) <= room) ?? SMALL
    const wordsHeight = words === '' ? 0 : paper.heightOf(words, own(size)) + PARTED
    let y = (PANEL.height - heights.greeting - PARTED - wordsHeight - heights.story) / 2
    paper.write('H2', greeting, { ...large, y })
    y += heights.greeting + PARTED
    if (words !== '') paper.write('P', words, { ...own(size), y })
    paper.write('P', t('print-story'), { ...small, y: y + wordsHeight })
  })
}

function insideRight(paper: Paper, { ink, soft }: Inks, facts: SheetFacts): void {
  const { language, link, address, key, credit, autoDonateAt, market, sandbox } = facts
  const t = getT(language)
  paper.panel('inside-right', () => {
    const at = { x: MARGIN, width: WIDTH, align: 'center' } as const
    const small = { ...at, font: 'sans', size: SMALL } as const
    paper.write('H2', formatMoney(credit, language, 'when-needed'), {
      ...at,
      font: 'display',
      size: 44,
      ink,
      y: 22,
    })
    const worth = t(sandbox ? 'sandbox-on-paper' : 'print-amount')
    paper.write('P', worth, { ...at, font: 'sans', size: PLAIN, ink: soft, y: 82 })
    paper.draw(t('print-qr', { link }), doc => drawQr(doc, link, (PANEL.width - QR_SIZE) / 2, 106, QR_SIZE))
    paper.write('P', t('print-scan'), { ...small, ink: soft, y: 262 })
    // A key in groups fills the line; the address above it may be of any length.
    const typed = { ...at, font: 'mono', size: SMALL, ink } as const
    paper.write('P', address, { ...typed, y: 294 })
    paper.write('P', key, { ...typed, y: 294 + paper.heightOf(address, typed) })
    const date = lastDayBefore(autoDonateAt, language)
    const until = lastDayWords(market, language, date, t('print-last-day', { date }))
    paper.write('P', `${until} ${t('print-last-day-after')}`, { ...small, ink, y: 348 })
  })
}

function back(
  paper: Paper,
  { ink, soft }: Inks,
  { language, siteName, check: { word, address } }: SheetFacts,
): void {
  const t = getT(language)
  paper.panel('back', () => {
    const at = { x: MARGIN, width: WIDTH, align: 'center' } as const
    paper.write('P', t('print-back'), { ...at, font: 'sans', size: SMALL, ink: soft, y: PANEL.height - 126 })
    if (word !== null) {
      const small = { ...at, font: 'sans', size: SMALL, ink: soft } as const
      const typed = { ...at, font: 'mono', size: PLAIN, ink } as const
      const words = t('print-check', { address })
      const y = PANEL.height - 126 - PARTED - paper.heightOf(word, typed)
      paper.write('P', words, { ...small, y: y - paper.heightOf(words, small) })
      paper.write('P', word, { ...typed, y })
    }
    paper.write('P', siteName, { ...at, font: 'display', size: 14, ink, y: PANEL.height - 64 })
  })
}

/** The ink of small print, towards the paper as on the screens. */
export function softInk({ text, background }: Theme): Rgb {
  return mixed(text, background, SOFT_INK)
}
