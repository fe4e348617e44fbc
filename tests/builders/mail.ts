import { perLanguage } from '#domain/languages.ts'
import { addMoney, money, subtractMoney } from '#domain/money/money.ts'
import { THEMES } from '#domain/themes.ts'
import type { Purchase } from '#server/modules/letters/confirmation.ts'
import type { Addressee, MailSite } from '#server/modules/letters/letter.ts'
import type { Message } from '#server/modules/letters/message.ts'

export const PRIVATE_KEY = 'privateprivateprivateprivate2345'
export const PUBLIC_KEY = 'publicpublicpublicpublicpublic67'
export const CHECK_WORD = 'BCDF-GHJK-MNPQ'

/** Zoë, who reads English. */
export function anAddressee(changes: Partial<Addressee> = {}): Addressee {
  return { language: 'en', theme: THEMES.palestine, name: 'Zoë', ...changes }
}

/** 50 € for the organisations, 15 € of support with its tax. */
export function aPurchase(changes: Partial<Purchase> = {}): Purchase {
  const purchase = {
    packageTitle: 'Their water',
    termsVersion: 'a0b1c2d3e4f5a6b7c8d9',
    receipts: 'none' as const,
    privateKey: PRIVATE_KEY,
    publicKey: PUBLIC_KEY,
    unfoldsAs: { themeId: 'ukraine', language: 'fr' } as const,
    checkWord: CHECK_WORD,
    cardId: 'a-card',
    sendingKey: 'a-sending-key',
    lettersPath: '/gift-letters/a-card/a-key',
    autoDonateAt: Date.parse('2027-03-10T23:00:00Z'),
    reminderDays: [30, 7],
    lastDayWords: perLanguage(() => ''),
    credit: money(5_000, 'EUR'),
    net: money(1_185, 'EUR'),
    tax: money(315, 'EUR'),
    total: money(6_500, 'EUR'),
    receiptNumber: 'S2026-000017-7QK3',
    message: null,
    ...changes,
  }
  const { net, tax, total } = purchase
  return { ...purchase, price: changes.price ?? subtractMoney(total, addMoney(net, tax)) }
}

export function aMailSite(changes: Partial<MailSite> = {}): MailSite {
  return {
    url: 'https://cards.example',
    name: 'Keep the Chain',
    contact: 'hello@cards.example',
    identity: 'Association of the tests · G1 · A street 1',
    ...changes,
  }
}

/** A message with whatever a transport may stumble over: accents, long lines, lines that begin with a dot. */
export function aMessage(changes: Partial<Message> = {}): Message {
  return {
    from: 'Keep the Chain <cards@cards.example>',
    to: 'buyer@example.org',
    replyTo: 'hello@cards.example',
    subject: 'Votre carte cadeau est prête',
    html: `<!doctype html><html lang="fr"><body><p>Merci, Zoë. ${'é'.repeat(1_200)}</p>\n.\n<p>À bientôt</p></body></html>`,
    text: `Merci, Zoë.\n\n.\n.. deux points\n${'long '.repeat(300)}\n\n-- \nGardez la chaîne`,
    messageId: '<0123456789abcdef@cards.example>',
    date: new Date('2026-03-10T09:00:00Z'),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': 'fr' },
    ...changes,
  }
}
