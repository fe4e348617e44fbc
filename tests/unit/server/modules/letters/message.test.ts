import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { confirmationMail } from '#server/modules/letters/confirmation.ts'
import { buildMessage, type Envelope, messageIdOf } from '#server/modules/letters/message.ts'
import { nodemailerOptions } from '#server/modules/letters/transport.ts'
import { thrownBy } from '#tests/builders/domain.ts'
import { aMailSite, anAddressee, aPurchase, PRIVATE_KEY, PUBLIC_KEY } from '#tests/builders/mail.ts'

const ENVELOPE: Envelope = {
  from: 'Keep the Chain <cards@cards.example>',
  to: 'buyer@example.org',
  dedupeKey: 'confirmation:card-1',
  host: 'cards.example',
  at: Date.parse('2026-03-10T09:00:00Z'),
}

const INJECTION = 'Zoë\r\nBcc: other@example.org\r\n\r\nbody'

/** The headers of a message as they go over the wire, parsed. */
async function headersOf(name: string | null, language: (typeof LANGUAGES)[number] = 'en') {
  const mail = confirmationMail(anAddressee({ name, language }), aPurchase(), aMailSite())
  const message = buildMessage(mail, '<p>html</p>', ENVELOPE)
  const composer = createTransport({ streamTransport: true, buffer: true })
  const { message: raw } = await composer.sendMail(nodemailerOptions(message))
  return PostalMime.parse(raw as Buffer)
}

describe('the message of a mail', () => {
  it.each(LANGUAGES)(
    'carries no key, amount, name or buyer in its subject and headers, in %s',
    async language => {
      const { headerLines, subject } = await headersOf('Zoë', language)
      const others = headerLines.filter(({ key }) => key !== 'to').map(({ line }) => line)
      for (const text of [...others, subject ?? '']) {
        for (const secret of [PRIVATE_KEY, PUBLIC_KEY, '/g/', '€', '50', '65', 'Zo', 'buyer', 'card-1']) {
          expect(text.replace(/^(date|message-id|content-type): .*/is, '$1')).not.toContain(secret)
        }
      }
      expect(headerLines.join()).not.toContain(PRIVATE_KEY)
    },
  )

  it('has these headers and no others', async () => {
    const { headers } = await headersOf('Zoë')
    expect(
      headers.map(({ key, value }) => (key === 'content-type' ? key : `${key}: ${value}`)).sort(),
    ).toEqual([
      'auto-submitted: auto-generated',
      'content-language: en',
      'content-type',
      'date: Tue, 10 Mar 2026 09:00:00 +0000',
      'from: Keep the Chain <cards@cards.example>',
      `message-id: ${messageIdOf('confirmation:card-1', 'cards.example')}`,
      'mime-version: 1.0',
      'reply-to: hello@cards.example',
      'subject: Your gift card is ready',
      'to: buyer@example.org',
    ])
  })

  it('lets no name with line breaks add a header', async () => {
    const { headers } = await headersOf(INJECTION)
    expect(headers).toHaveLength((await headersOf('Zoë')).headers.length)
    expect(headers.map(({ key }) => key)).not.toContain('bcc')
  })

  it('goes to nobody when the address is none', () => {
    const mail = confirmationMail(anAddressee(), aPurchase(), aMailSite())
    for (const to of ['', 'nobody', 'a@example.org, b@example.org', `a@example.org\r\nBcc: b@example.org`]) {
      expect(thrownBy(() => buildMessage(mail, '<p></p>', { ...ENVELOPE, to }))).toMatchObject({
        message: 'invalid-address',
        permanent: true,
      })
    }
  })

  it('keeps its Message-ID for one job and has another for the next', () => {
    const first = messageIdOf('confirmation:card-1', 'cards.example')
    expect(first).toMatch(/^<[0-9a-f]{40}@cards\.example>$/)
    expect(messageIdOf('confirmation:card-1', 'cards.example')).toBe(first)
    expect(messageIdOf('confirmation:card-1:2', 'cards.example')).not.toBe(first)
  })
})
