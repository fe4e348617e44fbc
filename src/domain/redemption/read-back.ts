import type { Language } from '../languages.ts'
import { formatMoney } from '../money/format.ts'
import type { Allocation } from './split.ts'

/**
 * What people call an organisation in a sentence: the short name that its title ends with in brackets
 * (`Doctors Without Borders (MSF)` is MSF), else the whole title.
 */
export function shortNameOf(title: string): string {
  const whole = title.trim()
  const start = whole.lastIndexOf('(')
  const short = whole.slice(start + 1, -1).trim()
  return start > 0 && whole.endsWith(')') && short !== '' ? short : title
}

/**
 * A split as one sentence: `€20 for MSF, €20 for CERF, and €10 for IRC.` Two organisations with one short name are
 * called by their whole titles.
 * @param titleOf an organisation's title, by its id
 * @param part one part of the sentence, of an amount as it is read and a name: `€20 for MSF`
 */
export function readBack(
  allocations: readonly Allocation[],
  language: Language,
  titleOf: (ngoId: string) => string,
  part: (values: { readonly amount: string; readonly ngo: string }) => string,
): string {
  const titles = allocations.map(({ ngoId }) => titleOf(ngoId))
  const short = titles.map(shortNameOf)
  const parts = allocations.map(({ amount }, index) => {
    const isShared = short.filter(name => name === short[index]).length > 1
    const ngo = (isShared ? titles[index] : short[index]) ?? ''
    return part({ amount: formatMoney(amount, language, 'when-needed'), ngo })
  })
  return `${new Intl.ListFormat(language).format(parts)}.`
}
