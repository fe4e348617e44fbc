import type { Given } from './faults.ts'

/** Hosts that belong to nobody (RFC 2606): whoever copies an example leaves them. */
const NOBODYS = /(?<![\w-])example(?:\.(?:org|com|net))?(?![\w.-])/i

const LOOKED_AT = ['SITE_URL', 'SMTP_URL', 'MAIL_FROM', 'OPERATOR_MAIL'] as const

/** The settings that still hold an example's name. */
export const placeholdersIn = (given: Given): readonly string[] =>
  LOOKED_AT.filter(name => NOBODYS.test(given[name] ?? ''))

const PLACEHOLDER =
  /(?:@|:\/\/|www\.)example\.(?:org|com|net)\b|\((?:placeholder|marcador de posición|à compléter|por completar)\)/i

/**
 * Where content still holds what the seed put there: paths of its fields, `settings.contactEmail`.
 * @param content anything that JSON can hold
 */
export function placeholdersOfContent(content: unknown, path = ''): readonly string[] {
  if (typeof content === 'string') return content.search(PLACEHOLDER) < 0 ? [] : [path]
  if (typeof content !== 'object' || content === null) return []
  return Object.entries(content).flatMap(([name, value]) =>
    placeholdersOfContent(value, path === '' ? name : `${path}.${name}`),
  )
}
