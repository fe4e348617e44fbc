import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from '#tests/support/sources.ts'

const sources = sourceFiles('src/**/*.{ts,tsx,astro}')

/** The contract's own words, which live in src/wire and in the folders of src/pages/api only. */
const WIRE_WORDS =
  /\b(nom_producte|giftcard_theme|giftcard_mission|support_amount_cents|stripe_session_id|giftcard_(public|private)_key|giftcard_id|selected_ngos|ngoSelected|creditSelected|pagaments|voluntariat|ajuda|FROM_ANONYMOUS|FROM_YOUR_NAME)\b/

describe('the rooms', () => {
  it('keep the words of the wire in the wire', () => {
    const strangers = sources
      .filter(file => !file.startsWith('src/wire/') && !file.startsWith('src/pages/api/'))
      .filter(file => WIRE_WORDS.test(readFileSync(file, 'utf8')))
    expect(strangers).toEqual([])
  })

  it('work the tax out once, when a price is quoted; everybody else reads it from the order', () => {
    const callers = sources
      .filter(file => /\bsplitTax\b/.test(readFileSync(file, 'utf8')))
      .filter(file => file !== 'src/domain/money/tax.ts')
    expect(callers).toEqual(['src/domain/pricing/quote.ts'])
  })

  it('count uses in one place, and the operator’s wrong tokens where they are looked at', () => {
    const counting = sources.filter(file => /\blimits\.use\(/.test(readFileSync(file, 'utf8')))
    expect(counting.sort()).toEqual([
      'src/server/http/pipeline/admit.ts',
      'src/server/modules/operator/operator.ts',
    ])
  })

  it('keep texts out of the browser bundle: no island imports the catalogues', () => {
    const strangers = sources
      .filter(file => /^src\/(islands|stores|ui|wire)\//.test(file))
      .filter(file =>
        /from '(#i18n|i18next|zod)/.test(readFileSync(file, 'utf8').replace(/import type [^\n]*\n/g, '')),
      )
      .filter(file => !file.startsWith('src/wire/') || file === 'src/wire/client.ts')
    expect(strangers).toEqual([])
  })
})
