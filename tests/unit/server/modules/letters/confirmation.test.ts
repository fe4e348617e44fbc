import { describe, expect, it } from 'vitest'
import { LANGUAGES, perLanguage } from '#domain/languages.ts'
import { money } from '#domain/money/money.ts'
import { contrastRatio, type Rgb, type SeedThemeId, THEMES } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { confirmationMail, freeCardMail } from '#server/modules/letters/confirmation.ts'
import { invitationMail } from '#server/modules/letters/invitation.ts'
import { lostLinksMail } from '#server/modules/letters/lost-links.ts'
import { newsletterMail } from '#server/modules/letters/newsletter-confirmation.ts'
import { reminderMail } from '#server/modules/letters/reminder.ts'
import { mailText } from '#server/modules/letters/text.ts'
import {
  aMailSite,
  anAddressee,
  aPurchase,
  CHECK_WORD,
  PRIVATE_KEY,
  PUBLIC_KEY,
} from '#tests/builders/mail.ts'

/** No-break spaces as plain ones. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

const GIFT = `https://cards.example/g/ukraine/fr#${PRIVATE_KEY}`
const PREVIEW = `https://cards.example/g/ukraine/fr#${PUBLIC_KEY}`

/** An invitation that was bought on the terms, and for the price, of this purchase. */
const invitedBy = (purchase: ReturnType<typeof aPurchase>) => {
  const { price, net, tax, total, termsVersion, receiptNumber, message } = purchase
  return {
    price,
    net,
    tax,
    total,
    termsVersion,
    receiptNumber,
    message,
    key: PRIVATE_KEY,
    unfoldsAs: { themeId: 'ukraine', language: 'fr', kind: 'volunteering' } as const,
    cardId: 'a-card',
    sendingKey: 'a-sending-key',
    checkWord: CHECK_WORD,
  }
}

const anUnusedCard = {
  cardId: 'c',
  privateKey: 'p',
  publicKey: 'q',
  renewalKey: 'r',
  unfoldsAs: { themeId: 'ukraine', language: 'fr' } as const,
  checkWord: CHECK_WORD,
  credit: money(500, 'EUR'),
  createdAt: 0,
  autoDonateAt: 1,
  reminderDays: [30, 7],
  lastDayWords: perLanguage(() => ''),
  which: 'first' as const,
}

describe('the confirmation mail', () => {
  it.each([
    ['es', 'Tu tarjeta regalo está lista', 'Gracias, Zoë.', '10\u00a0de\u00a0marzo de 2027', '65,00 €'],
    ['en', 'Your gift card is ready', 'Thank you, Zoë.', 'March\u00a010, 2027', '€65.00'],
    ['fr', 'Votre carte cadeau est prête', 'Merci, Zoë.', '10\u00a0mars 2027', '65,00 €'],
  ] as const)('is written in %s', (language, subject, greeting, date, total) => {
    const mail = confirmationMail(anAddressee({ language }), aPurchase(), aMailSite())
    expect(mail.subject).toBe(subject)
    expect(mail.greeting).toBe(greeting)
    expect(mail.sections.at(-1)?.note).toContain(date)
    expect(plain(mail.amounts?.total.amount ?? '')).toBe(total)
    expect(mail.language).toBe(language)
  })

  it.each(LANGUAGES)(
    'leads to a certificate where the operator gives one, and nowhere else, in %s',
    language => {
      const note = (receipts: 'none' | 'own') => {
        const order = { id: 'o1', withdrawalKey: 'k1' }
        const mail = confirmationMail(anAddressee({ language, order }), aPurchase({ receipts }), aMailSite())
        return mail.sections.find(({ title }) => title === getT(language)('mail-receipts-title'))
      }
      expect(note('none')).toMatchObject({ note: getT(language)('receipts-none') })
      expect(note('none')?.buttons).toBeUndefined()
      expect(note('own')?.note).toBe(getT(language)('receipts-own-mail'))
      expect(note('own')?.buttons?.[0]?.url).toBe(`https://cards.example/certificate/o1/k1?lang=${language}`)
    },
  )

  it.each(LANGUAGES)('carries both links exactly, once each, in %s', language => {
    const mail = confirmationMail(anAddressee({ language }), aPurchase(), aMailSite())
    const [gift, preview, sending] = mail.sections
    expect(gift?.copy).toBe(GIFT)
    expect(preview?.buttons?.map(({ url }) => url)).toEqual([PREVIEW])
    expect(sending?.buttons?.map(({ url }) => url)).toEqual([
      `https://cards.example/send-for-me/a-card/a-sending-key?lang=${language}`,
    ])
    const lines = mailText(mail).split('\n')
    expect(lines.filter(line => line === GIFT)).toHaveLength(1)
    expect(lines.filter(line => line === PREVIEW)).toHaveLength(1)
    expect(mailText(mail).split(PRIVATE_KEY)).toHaveLength(2)
  })

  it.each(LANGUAGES)(
    'names what was bought, and says every sentence in the text part too, in %s',
    language => {
      const bought = aPurchase({ packageTitle: 'Winter 2027' })
      const mail = confirmationMail(anAddressee({ language }), bought, aMailSite())
      const text = mailText(mail)
      expect(mail.opening).toContain('Winter 2027')
      expect(plain(mail.opening)).toMatch(/50 €|€50\b/)
      const { greeting, opening, sections, contact } = mail
      const amounts = mail.amounts!
      const said = sections.flatMap(({ title, note, buttons = [] }) => [
        title,
        note,
        ...buttons.map(({ label }) => label),
      ])
      expect(said).toHaveLength(15)
      for (const words of [
        greeting,
        opening,
        ...said,
        amounts.title,
        `${contact.text} ${contact.address}.`,
      ]) {
        expect(text).toContain(words)
      }
      for (const row of [...amounts.rows, amounts.total]) {
        expect(text.split('\n').some(line => line.startsWith(row.label) && line.endsWith(row.amount))).toBe(
          true,
        )
      }
    },
  )

  it.each(LANGUAGES)('carries the check word and the way to the page that asks for it, in %s', language => {
    const way = `https://cards.example/${language}/is-this-real`
    const to = anAddressee({ language })
    const letters = (checkWord: string | null) => [
      confirmationMail(to, aPurchase({ checkWord }), aMailSite()),
      freeCardMail(to, aPurchase({ checkWord }), aMailSite()),
      invitationMail(to, { ...invitedBy(aPurchase()), checkWord }, aMailSite()),
      reminderMail(to, { ...anUnusedCard, checkWord }, aMailSite()),
      lostLinksMail(to, { cards: [{ ...anUnusedCard, checkWord }], invitations: [] }, aMailSite()),
    ]
    for (const mail of letters(CHECK_WORD)) {
      expect(mailText(mail)).toContain(CHECK_WORD)
      expect(mailText(mail).split('\n')).toContain(way)
    }
    // A card from before there were words.
    for (const mail of letters(null)) expect(mailText(mail)).not.toContain('is-this-real')
  })

  it('states the amounts paid to the cent, so that they add up to the total', () => {
    const amounts = confirmationMail(anAddressee(), aPurchase(), aMailSite()).amounts!
    expect([...amounts.rows, amounts.total].map(row => row.amount)).toEqual([
      '€50.00',
      '€11.85',
      '€3.15',
      '€65.00',
    ])
    expect(amounts.rows[2]?.label).toContain('21%')
  })

  it('says the tax’s share as it was then, and what was paid when a dispute has taken a part of the credit since', () => {
    const before = aPurchase({
      net: money(1_350, 'EUR'),
      tax: money(150, 'EUR'),
      credit: money(4_000, 'EUR'),
    })
    const mail = confirmationMail(anAddressee(), before, aMailSite())
    expect(mail.opening).toContain('€40')
    expect(mail.amounts?.rows.map(row => row.amount)).toEqual(['€50.00', '€13.50', '€1.50'])
    expect(mail.amounts?.rows[2]?.label).toContain('10%')
  })

  it.each([
    ['es', 'Recibo de pago n.º S2026-000017-7QK3'],
    ['en', 'Payment receipt S2026-000017-7QK3'],
    ['fr', 'Reçu de paiement n° S2026-000017-7QK3'],
  ] as const)(
    'names its receipt in both parts, and none for an order without a number, in %s',
    (language, words) => {
      const to = anAddressee({ language })
      for (const [receiptNumber, said] of [
        ['S2026-000017-7QK3', words],
        [undefined, undefined],
      ] as const) {
        const purchase = aPurchase({ receiptNumber })
        for (const mail of [
          confirmationMail(to, purchase, aMailSite()),
          invitationMail(to, { ...purchase, key: PRIVATE_KEY }, aMailSite()),
        ]) {
          expect(mail.amounts?.receipt && plain(mail.amounts.receipt)).toBe(said)
          expect(plain(mailText(mail)).includes(words)).toBe(said !== undefined)
        }
      }
    },
  )

  it('leads to the terms that were accepted, in its language, and says who runs the site', () => {
    for (const language of LANGUAGES) {
      const to = anAddressee({ language })
      const purchase = aPurchase()
      for (const mail of [
        confirmationMail(to, purchase, aMailSite()),
        invitationMail(to, invitedBy(purchase), aMailSite()),
      ]) {
        const url = `https://cards.example/${language}/terms/${purchase.termsVersion}`
        expect(mail.terms?.url).toBe(url)
        expect(mailText(mail).split('\n')).toContain(url)
        expect(mailText(mail)).toMatch(/Association of the tests · G1 · A street 1$/)
      }
    }
  })

  it('says the giver’s own words where there are any, in the letter of either kind of gift', () => {
    const purchase = aPurchase({ message: 'Para ti, con cariño' })
    for (const mail of [
      confirmationMail(anAddressee(), purchase, aMailSite()),
      invitationMail(anAddressee(), invitedBy(purchase), aMailSite()),
    ])
      expect(mailText(mail)).toContain('“Para ti, con cariño”')
  })

  it('says nothing of terms to whoever bought before they had versions, or bought nothing', () => {
    const before = confirmationMail(
      anAddressee(),
      aPurchase({ termsVersion: 'before-versions' }),
      aMailSite(),
    )
    const free = freeCardMail(anAddressee(), aPurchase(), aMailSite({ identity: undefined }))
    expect([before.terms, free.terms, free.identity]).toEqual([undefined, undefined, undefined])
    expect(mailText(free)).toMatch(/-- \nKeep the Chain$/)
  })

  it('says nothing of a support that nobody gave, in the letter of either kind of gift', () => {
    const nothing = { net: money(0, 'EUR'), tax: money(0, 'EUR'), total: money(5_000, 'EUR') }
    const invitation = invitedBy(aPurchase({ ...nothing, price: money(5_000, 'EUR') }))
    for (const mail of [
      confirmationMail(anAddressee(), aPurchase(nothing), aMailSite()),
      invitationMail(anAddressee(), invitation, aMailSite()),
    ])
      expect([...mail.amounts!.rows, mail.amounts!.total].map(row => row.amount)).toEqual([
        '€50.00',
        '€50.00',
      ])
  })

  it('has no line of zeros for a free card either: the campaign pays what the organisations get', () => {
    for (const language of LANGUAGES) {
      const { amounts } = freeCardMail(anAddressee({ language }), aPurchase(), aMailSite())
      const said = [...amounts!.rows, amounts!.total].map(row => plain(row.amount))
      expect(said).toEqual(Array(2).fill(language === 'en' ? '€50.00' : '50,00 €'))
    }
  })

  it.each(LANGUAGES)(
    'begins a mail with the gift’s link at one button, which no server hears of, in %s',
    language => {
      const t = getT(language)
      const [gift] = confirmationMail(anAddressee({ language }), aPurchase(), aMailSite()).sections
      const { label, url } = gift!.send!
      expect(label).toBe(t('donation-success-share'))
      const { protocol, pathname, searchParams } = new URL(url)
      expect([protocol, pathname]).toEqual(['mailto:', ''])
      expect(searchParams.get('subject')).toBe(t('receiver-heading-anonymous'))
      expect(searchParams.get('body')).toBe(`${t('donation-success-share-text')}\r\n\r\n${GIFT}`)
      // Mail programs read a plus as a plus.
      expect(url).not.toContain('+')
    },
  )

  it('keeps the currency of the purchase, with its own sign', () => {
    const canadian = {
      credit: money(5_000, 'CAD'),
      net: money(1_185, 'CAD'),
      tax: money(315, 'CAD'),
      total: money(6_500, 'CAD'),
    }
    const mail = confirmationMail(anAddressee(), aPurchase(canadian), aMailSite())
    expect(mail.opening).toContain('C$50')
    expect(mail.amounts?.total.amount).toBe('C$65.00')
  })

  it('says that the gift is not tax-deductible, and only to who has paid', () => {
    const notes = ({ sections }: { readonly sections: readonly { readonly note: string }[] }) =>
      sections.map(({ note }) => note).join(' ')
    expect(notes(confirmationMail(anAddressee(), aPurchase(), aMailSite()))).toContain('not tax-deductible')
    const spanish = confirmationMail(anAddressee({ language: 'es' }), aPurchase(), aMailSite())
    expect(notes(spanish)).toContain('no te da derecho a una deducción fiscal')
    expect(notes(freeCardMail(anAddressee(), aPurchase(), aMailSite()))).not.toContain('tax')
  })

  it('thanks nobody by name when the giver is anonymous', () => {
    const mail = confirmationMail(anAddressee({ name: null }), aPurchase(), aMailSite())
    expect(mail.greeting).toBe('Thank you.')
  })

  it.each(['{{amount}} $t(mail-confirmation-subject)', '$& $1 \\0', '<b>Bo</b> & "Co"'])(
    'takes the name %s as it is',
    name => {
      const mail = confirmationMail(anAddressee({ name }), aPurchase(), aMailSite())
      expect(mail.greeting).toBe(`Thank you, ${name}.`)
      expect(mailText(mail)).toContain(`Thank you, ${name}.`)
    },
  )

  it.each(LANGUAGES)('puts no name into a letter in %s that mail programs would make a link', language => {
    const name = 'prize.example'
    const links = { confirm: 'https://our.site/c', unsubscribe: 'https://our.site/u' }
    const letters = [
      confirmationMail(anAddressee({ language, name }), aPurchase(), aMailSite()),
      reminderMail(anAddressee({ language, name }), anUnusedCard, aMailSite()),
      newsletterMail({ name, language }, links, aMailSite()),
    ]
    for (const letter of letters) expect(JSON.stringify(letter)).not.toContain(name)
  })

  it.each(LANGUAGES)('leaves no placeholder open and shouts nowhere in %s', language => {
    const text = mailText(confirmationMail(anAddressee({ language }), aPurchase(), aMailSite()))
    expect(text).not.toMatch(/\{\{|\}\}|mail-|[!¡]/)
  })

  it.each(Object.keys(THEMES) as SeedThemeId[])('reads well on the paper of %s', themeId => {
    const { palette: paper } = confirmationMail(
      anAddressee({ theme: THEMES[themeId] }),
      aPurchase(),
      aMailSite(),
    )
    expect(contrastRatio(rgb(paper.text), rgb(paper.background))).toBeGreaterThanOrEqual(4.5)
    expect(contrastRatio(rgb(paper.quiet), rgb(paper.background))).toBeGreaterThanOrEqual(4.5)
  })
})

function rgb(hex: string): Rgb {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [channel(1), channel(3), channel(5)]
}
