import { dayOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { writeDocument } from './document.ts'

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

/**
 * One sheet of A4, without colours: it goes to an office, and is copied there. That of a sandbox says that it counts
 * nowhere, and confirms nothing.
 */
export function certificateSheet(
  facts: CertificateFacts,
  { sandbox = false }: { readonly sandbox?: boolean } = {},
): Promise<Buffer> {
  const { language, number } = facts
  const t = getT(language)
  return writeDocument({
    language,
    title: t('certificate-title'),
    number,
    ...(sandbox && { notice: t('sandbox-on-certificate') }),
    rows: [
      [t('certificate-number'), number],
      [t('certificate-donee'), facts.donee],
      [t('certificate-donor'), [facts.name, facts.document, facts.address].join(' · ')],
      [t('certificate-amount'), formatMoney(facts.amount, language, 'always')],
      [t('certificate-paid'), dayOf(facts.paidAt, language)],
      [t('certificate-order'), facts.orderId],
      [t('certificate-made-on'), dayOf(facts.madeAt, language)],
    ],
    words: sandbox ? [] : [t('certificate-statement'), facts.words],
  })
}
