import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { manyPath } from '#paths'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { paymentIn } from '#tests/support/e2e/api.ts'
import { askForCard, cardApi, NGOS, pay, selectionOf } from '#tests/support/product/buy.ts'
import { post } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { CARD_KEY_SECRET } from '#tests/support/product/operator.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

const { product, environment } = await openProduct({ CARD_KEY_SECRET })

const COUNT = 300
/** Of each card, minor units: 25.00, and a support of 2.00 that holds its tax. */
const [CREDIT, SUPPORT, TAX] = [2_500, 200, 42]
const USED = 7
const EMAIL = 'company@example.org'
const nameOf = (n: number) => `Person ${n + 1}`
const LIST = Array.from({ length: COUNT }, (_, n) =>
  n % 3 === 0 ? `${nameOf(n)};For you, number ${n + 1}` : nameOf(n),
)

/** What the page's own form holds. */
const fieldsIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!
        .replaceAll(/\r\n|&#10;/g, '\n')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&'),
    ]),
  )

async function send(path: string, fields: Readonly<Record<string, string | File>>) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  const answer = await fetch(product.url + path, { method: 'POST', body, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

async function press(path: string, fields: Readonly<Record<string, string>>) {
  const answer = await fetch(product.url + path, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** A number that the page of the order tells. */
const figureIn = (html: string, of: string) =>
  new RegExp(`data-figure="${of}">.*?<dd[^>]*>(\\d+)<`, 's').exec(html)?.[1]

it('three hundred cards are bought in one order, printed, partly used and given back, and every cent is where it belongs', async () => {
  // The list has a line that cannot be taken: nothing is bought, and it is named.
  const csv = (lines: readonly string[]) => new File([`Name;Text\n${lines.join('\n')}\n`], 'list.csv')
  const form = {
    currency: 'EUR',
    amount: '25',
    support: '10',
    sender: 'Acme',
    message: 'Thank you',
    step: 'check',
  }
  const wrong = await send('/many-cards?lang=en', { ...form, file: csv(LIST.with(9, 'www.example.com')) })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toMatch(/data-line="11" data-fault="name-link"/)
  const review = await send('/many-cards?lang=en', { ...form, file: csv(LIST) })
  expect(review.status).toBe(200)
  expect(review.text).toContain('data-step="review"')
  expect(review.text.match(/<th scope="row">/g)).toHaveLength(COUNT)
  expect(review.text).toMatch(/data-price="total">.*?8,100\.00/s)

  // The buyer comes back to it from the payment page; who gives is kept by no browser.
  const kept = (answer: { readonly headers: Headers }) => answer.headers.get('cache-control')
  expect(kept(review)).toBe('private, no-cache')
  const shown = fieldsIn(review.text)
  const doubted = { ...shown, step: 'check', 'donor-name': 'Acme SL', 'donor-document': 'B12345674' }
  const asAgain = await send('/many-cards?lang=en', doubted)
  expect([kept(asAgain), fieldsIn(asAgain.text).attempt]).toEqual(['private, no-store', shown.attempt])
  const paying = { ...shown, step: 'pay', consent: 'yes' }
  // So much is given that the law asks who gives it.
  const unnamed = await send('/many-cards?lang=en', paying)
  expect([unnamed.status, fieldsIn(unnamed.text).list]).toEqual([422, shown.list])
  const named = { ...paying, 'donor-name': 'Acme SL', 'donor-document': 'B12345674' }
  const opened = await send('/many-cards?lang=en', named)
  // A redirect would be refused by browsers: the provider is another site (form-action).
  expect(opened.status).toBe(200)
  // Pressed again, it is the same payment.
  const url = paymentIn(opened.text)
  expect(paymentIn((await send('/many-cards?lang=en', named)).text)).toBe(url)
  const sessionId = new URL(url).pathname.slice('/c/pay/'.length)
  await pay(product, sessionId, { email: EMAIL })
  const settled = await askForCard(product, sessionId)
  const { order_id: orderId, many_key: manyKey } = settled.json() as Record<string, string>
  const path = manyPath(orderId!, manyKey!)

  const page = await (await fetch(product.url + path)).text()
  expect(page).toContain('data-state="unseen"')
  const name = { press: 'a'.repeat(40) }
  expect((await press(path, { ...name, act: 'show' })).status).toBe(200)
  const table = (await press(`${path}?lang=en`, { ...name, act: 'table' })).bytes.toString()
  const [, ...rows] = table.trim().split('\r\n')
  expect(rows.map(row => row.split(',')[1])).toEqual(LIST.map((_, n) => nameOf(n)))
  const keys = rows.map(row => row.split('#')[1]!.slice(0, 32))
  expect(new Set(keys).size).toBe(COUNT)
  const sheets = readPdf((await press(path, { ...name, act: 'sheets' })).bytes)
  expect(sheets.pages).toBe(COUNT / 4)
  for (const [n, key] of keys.entries()) {
    const text = sheets.texts[Math.floor(n / 4)]!.replaceAll('-', '')
    expect(text).toContain(key)
    expect(text).toContain(nameOf(n))
  }
  expect(sheets.texts[0]).toContain('For you, number 1')
  expect(sheets.texts[0]).toContain('Thank you')

  // People give, each as they like.
  for (const [n, key] of keys.slice(0, USED).entries()) {
    const answer = await post(product.url + cardApi(key), selectionOf({ [NGOS[n % 2]!]: 20, 'ngo-irc': 5 }))
    expect(answer.status).toBe(200)
    expect((await post(product.url + cardApi(key), selectionOf({ 'ngo-wfp': 25 }))).status).not.toBe(200)
  }
  const after = await (await fetch(`${product.url + path}?lang=en`)).text()
  expect([figureIn(after, 'used'), figureIn(after, 'waiting')]).toEqual([String(USED), String(COUNT - USED)])
  const organisations = /data-organisations>.*?<\/dl>/s.exec(after)?.[0] ?? ''
  const told = [...organisations.matchAll(/€(\d+)</g)].map(([, sum]) => Number(sum))
  // Of the first five used cards, and of no more.
  expect(told.toSorted((a, b) => b - a)).toEqual([60, 40, 25])

  // One link went to the wrong person: it is made anew, and the others stay.
  await press(path, { press: 'b'.repeat(40), act: 'renew-one', card: '100' })
  expect((await fetch(`${product.url}${cardApi(keys[99]!)}/full`)).status).toBe(404)
  expect((await fetch(`${product.url}${cardApi(keys[100]!)}/full`)).status).toBe(200)

  await environment.noWorkLeft()
  const mails = (await environment.mails()).filter(({ to }) => to === EMAIL)
  expect(mails).toHaveLength(1)
  expect(mails[0]!.text).toContain(path)
  for (const key of keys) expect(mails[0]!.text).not.toContain(key)

  const { db } = environment.database
  const booked = async () => {
    const accounts = await db.read(reader =>
      reader
        .selectFrom('ledger_entries')
        .select(({ fn }) => ['account', fn.sum<number>('amount').as('sum')])
        .groupBy('account')
        .execute(),
    )
    return Object.fromEntries(accounts.map(({ account, sum }) => [account, Number(sum)]))
  }
  const GIVEN = { 'ngo:ngo-msf': 4 * 2_000, 'ngo:ngo-cerf': 3 * 2_000, 'ngo:ngo-irc': USED * 500 }
  expect(await booked()).toEqual({
    payments: -COUNT * (CREDIT + SUPPORT),
    cards: (COUNT - USED) * CREDIT,
    ...GIVEN,
    support: COUNT * (SUPPORT - TAX),
    tax: COUNT * TAX,
  })
  const keyring = createCardKeys(CARD_KEY_SECRET)
  expect(await checkLedger(db, { keys: keyring })).toEqual([])

  // The company withdraws: what nobody used goes back, and the support of all.
  const withdrawal = /\/withdraw\/[^"?]+/.exec(after)![0]
  const whole = { name: 'Acme SL', email: EMAIL, which: 'all', at: 'review', step: 'confirm' }
  expect((await press(withdrawal, whole)).status).toBe(200)
  await environment.noWorkLeft()
  expect(await booked()).toEqual({
    payments: -COUNT * (CREDIT + SUPPORT),
    refunds: (COUNT - USED) * CREDIT + COUNT * SUPPORT,
    cards: 0,
    ...GIVEN,
    support: 0,
    tax: 0,
  })
  expect(await checkLedger(db, { keys: keyring })).toEqual([])
  const last = await (await fetch(`${product.url + path}?lang=en`)).text()
  expect(figureIn(last, 'back')).toBe(String(COUNT - USED))
  for (const key of [...keys, manyKey!]) expect(product.output()).not.toContain(key)
}, 120_000)

it('a large list is read beside one other of the same visitor; small ones are read all the same', async () => {
  const lists = async (lines: number) => {
    const list = new File(
      [`${'A long name, and more words than anybody would say;x\n'.repeat(lines)}`],
      'list.csv',
    )
    return (await send('/many-cards', { step: 'check', file: list })).status
  }
  const large = 2_000
  expect(await lists(large)).toBe(422)
  const slow = Array.from({ length: 2 }, () => {
    const socket = connect(product.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`POST /many-cards HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${1024 * 1024}\r\n\r\n`)
    return socket
  })
  const become = (status: number) => expect.poll(() => lists(large)).toBe(status)
  await become(503)
  expect(await lists(1)).toBe(422)
  for (const socket of slow) socket.destroy()
  await become(422)
})
