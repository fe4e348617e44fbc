import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { money } from '#domain/money/money.ts'
import { openNote } from '#domain/public-ledger/note.ts'
import { PLAIN_THEME } from '#domain/themes.ts'
import { confirmationMail } from '#server/modules/letters/confirmation.ts'
import { payoutAdviceMail } from '#server/modules/letters/payees.ts'
import { mailText } from '#server/modules/letters/text.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import { createSigner, verifySignature } from '#server/modules/public-ledger/signer.ts'
import { aMailSite, aPurchase } from '#tests/builders/mail.ts'

const signer = createSigner('a key of the public ledger, for tests alone', 'cards.example/ledger')
const root = sha256(Buffer.from('root'))
const note = signer.sign({ size: 12_345, root })
const site = aMailSite({ ledger: { size: 12_345, note, key: signer.verifierText } })
const letters = Buffer.from(root).toString('base64').slice(0, 8)
const told = {
  adviceId: 'an-advice',
  key: 'a-key',
  amount: money(5_000, 'EUR'),
  reference: 'SEPA 1',
  payoutId: 'a-payout',
  paidAt: 0,
  gifts: 7,
  firstAt: 0,
  lastAt: 0,
}

describe.each(LANGUAGES)('letters in %s', language => {
  const to = { language, theme: PLAIN_THEME, name: null }

  it('tell a buyer how long the public ledger is, how its root begins, and the key', () => {
    const text = mailText(confirmationMail(to, aPurchase(), site))
    expect(text).toContain(letters)
    expect(text).toContain(new Intl.NumberFormat(language).format(12_345))
    expect(text).toContain(signer.verifierText)
    // The signature is for whoever checks.
    expect(text).not.toContain(note.split('\n')[4])
  })

  it('give an organisation the whole head, which the key opens as it stands there', async () => {
    const text = mailText(payoutAdviceMail({ language, organisation: 'MSF' }, told, site))
    const from = text.indexOf('cards.example/ledger\n12345\n')
    const found = text.slice(from, from + note.length)
    expect(found).toBe(note)
    const opened = await openNote(found, [signer.verifier], { sha256, verify: verifySignature })
    expect(opened).toContain('12345')
  })

  it('say nothing of it before the first head', () => {
    const text = mailText(confirmationMail(to, aPurchase(), aMailSite()))
    expect(text).not.toContain('ledger')
    expect(confirmationMail(to, aPurchase(), aMailSite()).ledger).toBeUndefined()
  })
})
