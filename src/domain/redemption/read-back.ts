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

/** An organisation as its operator names it. */
interface Named {
  readonly title: string
  /** The article before its name in a sentence, where it has one: `el`, `l’`. */
  readonly article?: string | null | undefined
}

/**
 * What the organisations of one list are called in a sentence: the short name, with its article. Two of one short name
 * are called by their whole titles.
 */
export function calledInSentences(ngos: readonly Named[]): string[] {
  const short = ngos.map(({ title }) => shortNameOf(title))
  return ngos.map(({ title, article }, index) => {
    const isShared = short.filter(name => name === short[index]).length > 1
    const name = (isShared ? title : short[index]) ?? ''
    if (!article) return name
    return /['’]$/.test(article) ? article + name : `${article} ${name}`
  })
}

/**
 * A split as one sentence: `€20 for MSF, €20 for CERF, and €10 for the IRC.`
 * @param calledOf what an organisation is called in it, by its id
 * @param part one part of the sentence, of an amount as it is read and a name: `€20 for MSF`
 */
export function readBack(
  allocations: readonly Allocation[],
  language: Language,
  calledOf: (ngoId: string) => string,
  part: (values: { readonly amount: string; readonly ngo: string }) => string,
): string {
  const parts = allocations.map(({ ngoId, amount }) =>
    part({ amount: formatMoney(amount, language, 'when-needed'), ngo: calledOf(ngoId) }),
  )
  return `${new Intl.ListFormat(language).format(parts)}.`
}
