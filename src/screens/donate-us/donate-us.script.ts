/** The tip page is reached from several screens: Back leads to the one the visitor came from, in today's language. */

import { isLanguage } from '#domain/languages.ts'
import { CARD_PATHS, localizedPath, parsePath } from '#paths'
import { returnPath } from '#screens/shared/flow/return-path.ts'
import { TIP_FROM_KEY } from '#wire/browser-names.ts'

const HERE = parsePath(location.pathname).rest
const from = returnPath(
  TIP_FROM_KEY,
  path => !path.startsWith(CARD_PATHS) && parsePath(path).rest !== HERE,
).get()
const back = document.querySelector<HTMLAnchorElement>('main [data-action="back"]')
const { lang } = document.documentElement
if (from && back && isLanguage(lang)) back.href = localizedPath(lang, parsePath(from).rest)
