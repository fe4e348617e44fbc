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

/** The short names of one list. Two of one short name have their whole titles. */
function shortNamesOf(titles: readonly string[]): string[] {
  const short = titles.map(shortNameOf)
  return titles.map((title, index) => {
    const name = short[index] ?? title
    return short.filter(other => other === name).length > 1 ? title : name
  })
}

/** How an organisation stands in a list. */
interface ListedName {
  readonly name: string
  /** The whole name, without the short one in brackets; undefined where the name is that. */
  readonly whole: string | undefined
}

/**
 * How the organisations of one list stand in it, so that each name has a line of its own: by initials, where a title ends
 * with some, with the whole name beneath (`IRC`, International Rescue Committee), else by their titles.
 */
export function listedNames(titles: readonly string[]): ListedName[] {
  const short = shortNamesOf(titles)
  return titles.map((title, index) => {
    const name = short[index] ?? title
    const isInitials = name !== title && !name.includes(' ')
    return isInitials
      ? { name, whole: title.slice(0, title.lastIndexOf('(')).trim() }
      : { name: title, whole: undefined }
  })
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
  const short = shortNamesOf(ngos.map(({ title }) => title))
  return ngos.map(({ title, article }, index) => {
    const name = short[index] ?? title
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
