import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPaymentsDouble } from '#stand-ins/payments-double/index.ts'
import { donation, entry, line, openDouble, SECRET, SITE } from './support.ts'

const spaced = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

/** A page of a fresh session. */
async function opened(overrides: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const setting = openDouble()
  const { id } = await setting.stripe.checkout.sessions.create(donation(overrides))
  const { response, text } = await setting.page(id)
  return { ...setting, id, response, html: spaced(text) }
}

describe('the hosted page', () => {
  it.each([
    ['es', 'donate', 'Donar 58,50 €', 'Correo electrónico'],
    ['es-419', 'pay', 'Pagar 58,50 €', 'Correo electrónico'],
    ['en', 'donate', 'Donate €58.50', 'E-mail'],
    ['en-GB', 'auto', 'Pay €58.50', 'E-mail'],
    ['fr', 'donate', 'Donner 58,50 €', 'Adresse e-mail'],
    ['fr-CA', 'pay', 'Payer 58,50 €', 'Adresse e-mail'],
    ['de', 'pay', 'Pay €58.50', 'E-mail'],
  ] as const)('speaks %s and says %s', async (locale, submit_type, button, email) => {
    const { html } = await opened({ locale, submit_type })
    expect(html).toContain(`data-action="pay">${button}</button>`)
    expect(html).toContain(`<label for="email">${email}</label>`)
  })

  it('follows the browser when the session leaves the language open', async () => {
    const { stripe, page } = openDouble()
    const { id } = await stripe.checkout.sessions.create(donation({ locale: 'auto' }))
    expect((await page(id, { 'accept-language': 'ca, fr-BE;q=0.8' })).text).toContain('<html lang="fr">')
    expect((await page(id)).text).toContain('<html lang="en">')
  })

  it('shows the test bar, every item, the total, the way back and the test cards', async () => {
    const { html } = await opened()
    expect(html).toContain('<strong>TEST</strong>')
    expect(html).toContain('<dt>Para las organizaciones</dt><dd>50,00 €</dd>')
    expect(html).toContain('<dt>Apoyo</dt><dd>8,50 €</dd>')
    expect(html).toContain('<dt>Total</dt><dd>58,50 €</dd>')
    expect(html).toContain(`href="${SITE}/checkout" data-action="back"`)
    expect(html).toContain('<main data-screen="hosted-payment"')
    expect(html).toContain('4000 0000 0000 9995')
    expect(html).toContain('AT61 1904 3002 3457 3201')
  })

  it('writes other currencies by name and offers no direct debit in them', async () => {
    const { html } = await opened({ line_items: [line(123_450, 'x', 'cad')] })
    expect(html).toContain('Donar 1.234,50 CAD')
    expect(html).not.toContain('AT61')
  })

  it('escapes what the merchant wrote', async () => {
    const { html } = await opened({
      line_items: [line(5000, '<b>"x"</b>')],
      cancel_url: `${SITE}/?a="><script>`,
      customer_email: "o'hara@example.org",
    })
    expect(html).toContain('&lt;b&gt;&quot;x&quot;&lt;/b&gt;')
    expect(html).not.toContain('<b>')
    expect(html).not.toContain('"><script>')
    expect(html).toContain('value="o&#39;hara@example.org" readonly')
  })

  it('allows nothing but its own style and its own form', async () => {
    const { response, html } = await opened()
    const csp = response.headers.get('content-security-policy')!
    const style = /<style>([\s\S]*)<\/style>/.exec(html)![1]!
    expect(csp).toContain("default-src 'none'")
    expect(csp).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(csp).toContain("form-action 'self';")
    expect(response.headers.get('cache-control')).toBe('no-store')
    const elsewhere = await opened({ success_url: 'https://shop.example/thanks' })
    expect(elsewhere.response.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://shop.example;",
    )
  })

  it('sends the buyer to the success page with the session in it', async () => {
    const { id, press } = await opened()
    const { response } = await press(id, entry())
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`${SITE}/success?session_id=${id}`)
  })

  it('says what is wrong beside each field and keeps what need not be typed again', async () => {
    const { id, press, stripe } = await opened()
    const wrong = await press(id, {
      email: 'ana<',
      card_number: '4242424242424241',
      expiry: '13/30',
      cvc: '1',
    })
    for (const name of ['email', 'card_number', 'expiry', 'cvc']) {
      expect(wrong.text).toContain(`id="${name}-error"`)
      expect(wrong.text).toMatch(
        new RegExp(`name="${name}"[^>]*aria-describedby="[^"]*${name}-error" aria-invalid="true"`),
      )
    }
    expect(wrong.text).toContain('value="ana&lt;"')
    expect(wrong.text).toContain('value="13/30"')
    expect(wrong.text).not.toContain('4242424242424241')
    expect((await stripe.checkout.sessions.retrieve(id)).payment_intent).toBeNull()
  })

  it.each([
    [{ email: '' }, 'email', 'Escribe un correo electrónico'],
    [{ card_number: '' }, 'card_number', 'Escribe uno de los números de prueba'],
    [{ card_number: '4111 1111 1111 1111' }, 'card_number', 'Aquí solo funcionan tarjetas de prueba'],
    [{ expiry: '10/26' }, 'expiry', 'Esta fecha ya ha pasado'],
    [{ cvc: '12' }, 'cvc', 'Escribe las tres o cuatro cifras'],
    [{ card_number: '4000000000000002' }, 'card_number', 'La tarjeta ha sido rechazada'],
    [{ card_number: '4000000000009995' }, 'card_number', 'La tarjeta no tiene saldo suficiente'],
    [{ card_number: '4000000000000127' }, 'cvc', 'El código de seguridad no corresponde'],
  ])('answers %o beside %s', async (typed, name, text) => {
    const { id, press } = await opened()
    const answer = await press(id, entry(typed as Record<string, string>))
    expect(answer.text).toContain(`id="${name}-error">${text}`)
    expect(answer.text).toMatch(new RegExp(`name="${name}"[^>]*autofocus`))
  })

  it('takes this month as a good expiry date', async () => {
    const { id, press } = await opened()
    expect((await press(id, entry({ expiry: '11/26' }))).response.status).toBe(303)
  })

  it('takes no direct debit where there is none', async () => {
    const { id, press } = await opened({ line_items: [line(5000, 'x', 'usd')] })
    expect((await press(id, entry({ card_number: 'AT611904300234573201' }))).text).toContain(
      'no admite domiciliación',
    )
  })

  it('keeps to the address the merchant gave', async () => {
    const { id, press, stripe } = await opened({ customer_email: 'ana@example.org' })
    await press(id, entry({ email: 'eve@example.org' }))
    expect((await stripe.checkout.sessions.retrieve(id)).customer_details?.email).toBe('ana@example.org')
  })

  it.each([{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
    'refuses a press from elsewhere: %o',
    async headers => {
      const { id, press, stripe } = await opened()
      expect((await press(id, entry(), headers as Record<string, string>)).response.status).toBe(403)
      expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open')
      expect(
        (await press(id, entry(), { origin: SITE, 'sec-fetch-site': 'same-origin' })).response.status,
      ).toBe(303)
    },
  )

  it('says that it is paid, expired or unknown', async () => {
    const { id, press, page, stripe } = await opened()
    expect((await page('cs_test_none')).response.status).toBe(404)
    await press(id, entry())
    const paid = await page(id)
    expect(paid.text).toContain('Esto ya está pagado')
    expect(paid.text).toContain(`href="${SITE}/success?session_id=${id}"`)
    const other = await stripe.checkout.sessions.create(donation())
    await stripe.checkout.sessions.expire(other.id)
    expect((await page(other.id)).response.status).toBe(410)
  })

  it('is the only thing the web front may hand over', () => {
    const { double } = openDouble()
    expect(double.handlesPath('/c/pay/cs_test_1')).toBe(true)
    expect(double.handlesPath('/v1/refunds')).toBe(false)
    expect(double.handlesPath('/')).toBe(false)
  })

  it('waits for our endpoint over HTTP before it sends the buyer on, once it runs by itself', async () => {
    const bodies: { body: string; signature: string }[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      bodies.push({ body, signature: String(request.headers['stripe-signature']) })
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const dataDir = mkdtempSync(join(tmpdir(), 'payments-double-'))
    const { port } = server.address() as AddressInfo
    const double = createPaymentsDouble({
      dataDir,
      siteUrl: SITE,
      webhookUrl: () => `http://127.0.0.1:${port}/hook`,
      webhookSecret: SECRET,
    })
    onTestFinished(async () => {
      await double.stop()
      double.close()
      server.close()
      rmSync(dataDir, { recursive: true })
    })
    double.start()
    const stripe = new Stripe('sk_test_local', {
      httpClient: Stripe.createFetchHttpClient((input, init) => double.fetch(new Request(input, init))),
    })
    const { id, url } = await stripe.checkout.sessions.create(donation())
    await double.fetch(
      new Request(url!, { method: 'POST', body: new URLSearchParams(entry({ expiry: '12/99' })) }),
    )
    const events = bodies.map(one => stripe.webhooks.constructEvent(one.body, one.signature, SECRET))
    expect(events.find(event => event.type === 'checkout.session.completed')).toMatchObject({
      data: { object: { id } },
    })
  })
})
