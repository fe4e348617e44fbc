import { expect, it } from 'vitest'
import type { MailData } from '#domain/mail/mail-data.ts'
import { mailText } from '#server/modules/letters/text.ts'

const MAIL: MailData = {
  language: 'en',
  palette: { background: '#ffffff', text: '#000000', quiet: '#4d4d4d', hairline: '#dbdbdb' },
  siteName: 'Keep the Chain',
  subject: 'Subject',
  preheader: 'Preheader',
  greeting: 'Hello, Zoë.',
  opening: 'Here it is.',
  sections: [
    {
      title: 'The gift',
      note: 'Send it.',
      copy: 'https://cards.example/1',
      buttons: [{ label: 'See it', url: 'https://cards.example/2' }],
    },
    { title: 'A title that is longer than the lines of a small telephone', note: 'Words.' },
  ],
  amounts: {
    title: 'What you paid',
    rows: [{ label: 'The card', amount: '€5.00' }],
    total: { label: 'Total', amount: '€15.00' },
  },
  contact: { text: 'Write to', address: 'hello@cards.example' },
}

it('says everything of the letter in its order, each link on a line of its own, its label above it', () => {
  expect(mailText(MAIL)).toBe(`Hello, Zoë.

Here it is.

The gift
--------
Send it.

https://cards.example/1

See it
https://cards.example/2

A title that is longer than the lines of a small telephone
--------------------------------
Words.

What you paid
-------------
The card   €5.00
Total     €15.00

Write to hello@cards.example.

-- 
Keep the Chain`)
})
