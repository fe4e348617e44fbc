import { dayOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import type { Rgb } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { openPage } from './page-sizes.ts'

/** What stands on a certificate for the tax office. Times are epoch ms UTC. */
export interface CertificateFacts {
  readonly number: string
  readonly name: string
  readonly document: string
  readonly address: string
  readonly amount: Money
  readonly paidAt: number
  readonly madeAt: number
  readonly orderId: string
  /** The operator: name, tax number, seat. */
  readonly donee: string
  /** By which law the operator may give it, in its own words. */
  readonly words: string
  readonly language: Language
}

const PAPER: Rgb = [255, 255, 255]
const INK: Rgb = [22, 24, 32]
const SOFT: Rgb = [84, 88, 100]
const MARGIN = 64
const WIDTH = 595.28 - 2 * MARGIN
const LABEL = 150

/**
 * One sheet of A4, without colours: it goes to an office, and is copied there. That of a sandbox says that it counts
 * nowhere, and confirms nothing.
 */
export async function certificateSheet(
  facts: CertificateFacts,
  { sandbox = false }: { readonly sandbox?: boolean } = {},
): Promise<Buffer> {
  const { language, number } = facts
  const t = getT(language)
  const title = t('certificate-title')
  const paper = await openPage({ language, title: `${title} ${number}`, paper: PAPER })
  let y = MARGIN
  const paragraph = (tag: 'H1' | 'P', text: string, size: number, ink: Rgb, after: number) => {
    const style = { font: tag === 'H1' ? 'display' : 'sans', size, ink, x: MARGIN, width: WIDTH } as const
    paper.write(tag, text, { ...style, y })
    y += paper.heightOf(text, style) + after
  }
  paragraph('H1', title, 26, INK, sandbox ? 12 : 28)
  if (sandbox) paragraph('P', t('sandbox-on-certificate'), 16, INK, 28)
  const rows: readonly (readonly [string, string])[] = [
    [t('certificate-number'), number],
    [t('certificate-donee'), facts.donee],
    [t('certificate-donor'), [facts.name, facts.document, facts.address].join(' · ')],
    [t('certificate-amount'), formatMoney(facts.amount, language, 'always')],
    [t('certificate-paid'), dayOf(facts.paidAt, language)],
    [t('certificate-order'), facts.orderId],
    [t('certificate-made-on'), dayOf(facts.madeAt, language)],
  ]
  for (const [label, written] of rows) {
    const value = paper.writable(written)
    const at = { font: 'sans', size: 11 } as const
    const column = { ...at, ink: INK, x: MARGIN + LABEL, width: WIDTH - LABEL } as const
    paper.write('P', label, { ...at, ink: SOFT, x: MARGIN, width: LABEL - 12, y })
    paper.write('P', value, { ...column, y })
    y += paper.heightOf(value, column) + 10
  }
  y += 18
  if (!sandbox) {
    paragraph('P', t('certificate-statement'), 11, INK, 14)
    paragraph('P', paper.writable(facts.words), 11, INK, 0)
  }
  return paper.close()
}
