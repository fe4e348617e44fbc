import { readFileSync } from 'node:fs'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { contractText, generateContract } from '#stand-ins/payments-double/contract/generate.ts'
import contract from '#stand-ins/payments-double/contract/generated/contract.json' with { type: 'json' }
import { donation, line, openDouble, refusal, START } from './support.ts'

describe('the generated contract', () => {
  it('is what the installed SDK declares today', () => {
    const committed = new URL(
      '../../../src/stand-ins/payments-double/contract/generated/contract.json',
      import.meta.url,
    )
    expect(contractText()).toBe(readFileSync(committed, 'utf8'))
  })

  it('is for the API version that the SDK pins', () => {
    expect(contract.apiVersion).toBe(Stripe.API_VERSION)
  })

  it('keeps the enums, nesting and required flags of the declarations', () => {
    const create = generateContract().requests['POST /v1/checkout/sessions']!
    expect(create.ui_mode).toEqual({
      kind: 'enum',
      values: ['elements', 'embedded_page', 'form', 'hosted_page'],
    })
    expect(create.payment_method_types).toBeUndefined()
    expect(create).toMatchObject({
      line_items: {
        of: { fields: { price_data: { fields: { currency: { kind: 'string', required: true } } } } },
      },
    })
  })
})

describe('a request for a session', () => {
  const asked = async (overrides: object) => {
    const { stripe } = openDouble()
    return refusal(stripe.checkout.sessions.create(donation(overrides)))
  }
  const now = START / 1000

  it.each([
    ['an unknown parameter', { payment_method_types: ['card'] }, 'payment_method_types', 'parameter_unknown'],
    [
      'an unknown nested one',
      { adaptive_pricing: { on: true } },
      'adaptive_pricing[on]',
      'parameter_unknown',
    ],
    ['a value of yesterday', { ui_mode: 'hosted' }, 'ui_mode', undefined],
    ['a locale there is not', { locale: 'en-US' }, 'locale', undefined],
    ['a wrong type', { expires_at: 'soon' }, 'expires_at', 'parameter_invalid_integer'],
    ['an empty text', { cancel_url: '' }, 'cancel_url', 'parameter_invalid_empty'],
    ['no mode', { mode: undefined }, 'mode', 'parameter_missing'],
    ['no success page', { success_url: undefined }, 'success_url', 'parameter_missing'],
    ['a relative success page', { success_url: '/success' }, 'success_url', 'url_invalid'],
    ['no items', { line_items: [] }, 'line_items', 'parameter_missing'],
    [
      'an item without a currency',
      { line_items: [{ quantity: 1, price_data: { unit_amount: 5000, product_data: { name: 'x' } } }] },
      'line_items[0][price_data][currency]',
      'parameter_missing',
    ],
    [
      'more than 100 items',
      { line_items: Array.from({ length: 101 }, () => line(100, 'x')) },
      'line_items',
      undefined,
    ],
    [
      'two currencies',
      { line_items: [line(100, 'x'), line(100, 'x', 'usd')] },
      'line_items[1][price_data][currency]',
      undefined,
    ],
    ['49 cents', { line_items: [line(49, 'x')] }, 'line_items', 'amount_too_small'],
    ['29 pence', { line_items: [line(29, 'x', 'gbp')] }, 'line_items', 'amount_too_small'],
    ['a million', { line_items: [line(100_000_000, 'x')] }, 'line_items', 'amount_too_large'],
    ['an address that is none', { customer_email: 'ana' }, 'customer_email', 'email_invalid'],
    ['a long reference', { client_reference_id: 'x'.repeat(201) }, 'client_reference_id', undefined],
    ['an expiry too near', { expires_at: now + 29 * 60 }, 'expires_at', undefined],
    ['an expiry too far', { expires_at: now + 24 * 3600 + 1 }, 'expires_at', undefined],
    ['a long metadata value', { metadata: { note: 'x'.repeat(501) } }, 'metadata[note]', undefined],
    [
      'a long metadata key',
      { metadata: { ['k'.repeat(41)]: 'x' } },
      `metadata[${'k'.repeat(41)}]`,
      undefined,
    ],
    [
      '51 metadata keys',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'x'])) },
      'metadata',
      undefined,
    ],
    ['what the double does not imitate', { allow_promotion_codes: true }, 'allow_promotion_codes', undefined],
  ])('is refused with %s', async (_case, overrides, param, code) => {
    const error = await asked(overrides)
    expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', param })
    expect(error.code).toBe(code)
  })

  it.each([
    ['50 cents', { line_items: [line(50, 'x')] }],
    ['30 pence', { line_items: [line(30, 'x', 'gbp')] }],
    ['999,999.99', { line_items: [line(99_999_999, 'x')] }],
    ['100 items', { line_items: Array.from({ length: 100 }, () => line(100, 'x')) }],
    ['the nearest expiry', { expires_at: now + 30 * 60 }],
    ['the farthest expiry', { expires_at: now + 24 * 3600 }],
  ])('is taken with %s', async (_case, overrides) => {
    const { stripe } = openDouble()
    await expect(stripe.checkout.sessions.create(donation(overrides))).resolves.toMatchObject({
      status: 'open',
    })
  })
})

describe('a caller', () => {
  it('may hold a restricted test key', async () => {
    const { stripe } = openDouble({ key: 'rk_test_local' })
    await expect(stripe.checkout.sessions.create(donation())).resolves.toMatchObject({ livemode: false })
  })

  it.each([
    ['sk_live_1234', 'takes no live keys'],
    ['rk_live_1234', 'takes no live keys'],
    ['pk_test_1234', 'Invalid API Key'],
    ['nonsense', 'Invalid API Key'],
  ])('is refused with the key %s: %s', async (key, reason) => {
    const { stripe } = openDouble({ key })
    const error = await refusal(stripe.checkout.sessions.create(donation()))
    expect(error).toMatchObject({ statusCode: 401, type: 'StripeAuthenticationError' })
    expect(error.message).toContain(reason)
  })

  it('is refused with another API version than the generated one', async () => {
    const { stripe } = openDouble({ config: { apiVersion: '2025-02-24.acacia' as never } })
    expect(await refusal(stripe.checkout.sessions.create(donation()))).toMatchObject({ statusCode: 400 })
  })

  it('gets an error, not a success, for what the double does not have', async () => {
    const { stripe, double } = openDouble()
    expect(await refusal(stripe.customers.create({}))).toMatchObject({ statusCode: 404 })
    expect(await refusal(stripe.checkout.sessions.retrieve('cs_test_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    const bare = await double.fetch(new Request('https://api.stripe.com/v1/events'))
    expect(bare.status).toBe(401)
    expect(await bare.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })
})
