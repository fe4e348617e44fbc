import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { COOKIES_TAKEN_COOKIE, GIFT_COOKIE, LANGUAGE_COOKIE } from '#wire/browser-names.ts'

interface Block {
  readonly children: readonly { readonly text: string }[]
}

const policy = readFileSync('studio/seed/production.ndjson', 'utf8')
  .split('\n')
  .filter(line => line.includes('"page-cookie-policy"'))
  .map(line => (JSON.parse(line) as { body: Record<string, readonly Block[]> }).body)[0]!

it.each([
  [
    'es',
    /cookie del idioma dura un año; la de un regalo, 30 días/,
    /respuestas de una encuesta que aún no hayas enviado/,
  ],
  ['en', /language cookie lasts a year, that of a gift 30 days/, /answers to a poll that you have not sent/],
  [
    'fr',
    /cookie de la langue dure un an, celui d’un cadeau 30 jours/,
    /réponses à un sondage que vous n’avez pas encore envoyé/,
  ],
] as const)(
  'the cookie policy that is shipped says what is kept, and how long, in %s',
  (language, ...said) => {
    const text = policy[language]!.map(({ children }) => children.map(({ text }) => text).join('')).join('\n')
    for (const sentence of said) expect(text).toMatch(sentence)
    for (const cookie of [LANGUAGE_COOKIE, GIFT_COOKIE, COOKIES_TAKEN_COOKIE, 'place-'])
      expect(text).toContain(cookie)
    // What goes with the tab, and the cookie, end without anybody deleting them.
    expect(text).not.toMatch(
      /Lo que hay en tu navegador se queda|What is in your browser stays|Ce qui est dans votre navigateur y reste/,
    )
  },
)
