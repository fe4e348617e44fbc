import { formatMoney } from '#domain/money/format.ts'
import { mixed, type Rgb } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { drawEnvelope } from './envelope.ts'
import type { ManySheetsFacts, PaperCard } from './many-job.ts'
import { openSheets, PANEL, type Paper } from './page-sizes.ts'
import { drawQr } from './qr.ts'

/** Cards of one sheet: its quarters, upright, in the order in which they are read. */
const QUARTERS = [
  { x: 0, y: 0 },
  { x: PANEL.width, y: 0 },
  { x: 0, y: PANEL.height },
  { x: PANEL.width, y: PANEL.height },
] as const

/** Many sheets would empty a printer's ink: they are white, and the theme is on the envelope. */
const PAPER: Rgb = [255, 255, 255]
const INK: Rgb = [22, 24, 32]
const SOFT = mixed(INK, PAPER, 0.72)
const MARGIN = 28
const WIDTH = PANEL.width - 2 * MARGIN
const ENVELOPE_WIDTH = 66
const QR_SIZE = 112
const QR_TOP = 222
/** Points. Nothing on the paper is smaller but long words in wide letters. */
const SMALL = 10
const NAME = 14
const WORD_SIZES = [SMALL, 9, 8, 7, 6] as const

/** Cards on sheets of A4, four on each, with the lines along which they are cut. */
export async function manySheets(facts: ManySheetsFacts): Promise<Buffer> {
  const { language, siteName, cards } = facts
  const t = getT(language)
  const paper = await openSheets({ language, title: `${t('print-title')} · ${siteName}`, paper: PAPER })
  for (const [index, card] of cards.entries()) {
    const place = index % QUARTERS.length
    if (place === 0 && index > 0) paper.turn()
    paper.at(QUARTERS[place]!, () => drawCard(paper, facts, card))
  }
  return paper.close()
}

function drawCard(paper: Paper, facts: ManySheetsFacts, card: PaperCard): void {
  const { language, theme, credit, sandbox } = facts
  const t = getT(language)
  const left = { x: MARGIN, width: WIDTH } as const
  const small = { ...left, font: 'sans', size: SMALL, ink: SOFT } as const
  paper.write('H1', formatMoney(credit, language, 'when-needed'), {
    font: 'display',
    size: 28,
    ink: INK,
    x: MARGIN,
    width: WIDTH - ENVELOPE_WIDTH - 12,
    y: 18,
  })
  paper.adorn(doc => {
    const at = { left: PANEL.width - MARGIN - ENVELOPE_WIDTH, top: 20, width: ENVELOPE_WIDTH }
    drawEnvelope(doc, theme, at)
  })
  const worth = t(sandbox ? 'sandbox-on-paper' : 'print-amount')
  paper.write('P', worth, { ...small, width: WIDTH - ENVELOPE_WIDTH - 12, y: 55 })
  let y = 74
  const line = (words: string, style: Parameters<Paper['heightOf']>[1]) => {
    paper.write('P', words, { ...style, y })
    y += paper.heightOf(words, style) + 3
  }
  const name = card.name === null ? '' : paper.writable(card.name)
  const giver = facts.senderName === null ? '' : paper.writable(facts.senderName)
  if (name) line(t('print-cover-to', { name }), { ...left, font: 'display', size: NAME, ink: INK, lines: 2 })
  if (giver) line(t('print-cover-from', { name: giver }), { ...small, font: 'display', size: 11, lines: 1 })
  y += 4
  const words = card.words === null ? '' : paper.writable(card.words, 'sans')
  const own = (size: number) => ({ ...small, ink: INK, size }) as const
  // All of the giver's words stand there: letters that are wide make them smaller.
  const size = WORD_SIZES.find(each => y + paper.heightOf(words, own(each)) <= QR_TOP) ?? WORD_SIZES.at(-1)!
  if (words) line(words, own(size))
  drawLink(paper, facts, card)
}

/** The code and what somebody types instead; until when, and how to see that it is real. */
function drawLink(paper: Paper, facts: ManySheetsFacts, { number, link, key, word }: PaperCard): void {
  const { language, until, address, checkAddress } = facts
  const t = getT(language)
  const left = { x: MARGIN, width: WIDTH } as const
  const beside = {
    font: 'sans',
    size: SMALL,
    ink: SOFT,
    x: MARGIN + QR_SIZE + 10,
    width: WIDTH - QR_SIZE - 10,
  } as const
  paper.draw(t('print-qr', { link }), doc => drawQr(doc, link, MARGIN, QR_TOP, QR_SIZE))
  const scan = t('print-scan')
  paper.write('P', scan, { ...beside, y: QR_TOP + 4 })
  paper.write('P', until, { ...beside, ink: INK, y: QR_TOP + 4 + paper.heightOf(scan, beside) + 6 })
  const typed = { ...left, font: 'mono', size: SMALL, ink: INK } as const
  let y = QR_TOP + QR_SIZE + 6
  paper.write('P', address, { ...typed, y })
  y += paper.heightOf(address, typed)
  paper.write('P', key, { ...typed, y })
  y += paper.heightOf(key, typed) + 4
  const small = { ...left, font: 'sans', size: SMALL, ink: SOFT } as const
  if (word !== null) {
    const asks = t('print-check', { address: checkAddress })
    paper.write('P', asks, { ...small, y })
    y += paper.heightOf(asks, small)
    paper.write('P', word, { ...typed, width: WIDTH - 40, y })
  }
  paper.write('P', String(number), { ...small, x: PANEL.width - MARGIN - 36, width: 36, align: 'end', y })
}
