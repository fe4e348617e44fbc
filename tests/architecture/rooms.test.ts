import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter(file => /\.(ts|tsx|astro)$/.test(file))

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

  it.each([
    ['src/domain', "import '#server/app.ts'"],
    ['src/domain', "import 'node:fs'"],
    ['src/islands', "import 'zod'"],
    ['src/wire', "import '#server/app.ts'"],
    ['src/ui', "import '#stores/split.ts'"],
    ['src/pages', "import '#stand-ins/payments-double/index.ts'"],
    ['src/server/modules/gifts/cards', "import 'stripe'"],
    ['src/server/modules/payments', "import '@sanity/client'"],
    ['src/server/web', "import '#stand-ins/payments-double/index.ts'"],
  ])('refuse a door that does not exist: %s may not %s', (room, line) => {
    const folder = mkdtempSync(join(room, 'door-'))
    try {
      const file = join(folder, 'door.ts')
      writeFileSync(file, `${line}\n`)
      expect(() =>
        execFileSync('node_modules/.bin/biome', ['lint', '--only=style/noRestrictedImports', file], {
          stdio: 'pipe',
        }),
      ).toThrow()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('work the tax out once, when a price is quoted; everybody else reads it from the order', () => {
    const callers = sources
      .filter(file => /\bsplitTax\b/.test(readFileSync(file, 'utf8')))
      .filter(file => file !== 'src/domain/money/tax.ts')
    expect(callers).toEqual(['src/domain/pricing/quote.ts'])
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
