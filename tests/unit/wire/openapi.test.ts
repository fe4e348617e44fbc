import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { getT } from '#i18n/index.ts'
import { openApi } from '#wire/openapi.ts'

const SITE = { url: 'https://gifts.example.org', version: '1.0.0', say: getT('en') }

interface Body {
  readonly content: Record<
    string,
    { readonly schema: { readonly properties: Record<string, { readonly description?: string }> } }
  >
}

interface Call {
  readonly requestBody?: Body
  readonly responses: Record<string, Body>
}

/** What a linter that others made says of a document, by its recommended rules. */
async function complaints(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  })
  return found.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

it('the description of the public interface is OpenAPI 3.1 as a linter of others has it', async () => {
  expect(await complaints(openApi(SITE))).toEqual([])
})

it('the linter complains of a description that is none', async () => {
  const { info: _, ...headless } = openApi(SITE)
  expect(await complaints(headless)).not.toEqual([])
})

it('each call is described by the schema that its answers pass, without a field of JavaScript’s own', () => {
  const text = JSON.stringify(openApi(SITE))
  for (const word of ['given_away', 'from_support', 'organisation', 'support_amount', 'tlog-tiles'])
    expect(text).toContain(word)
  // Words of the inside, and the bounds of every number.
  for (const word of ['ngoId', 'givenAway', 'readOnly', String(Number.MAX_SAFE_INTEGER)])
    expect(text).not.toContain(word)
})

it('an order is asked for with a partner’s key, a press of its own, and the fields that the call reads', () => {
  const document = openApi(SITE) as {
    readonly paths: Record<string, Record<string, Record<string, unknown>>>
  }
  const { post } = document.paths['/api/partner/orders']!
  expect(post!.security).toEqual([{ partnerKey: ['orders:create'] }])
  expect(JSON.stringify(post!.parameters)).toContain('Idempotency-Key')
  for (const field of ['fulfilment_consent', 'terms_version', 'fallback_organisation'])
    expect(JSON.stringify(post!.requestBody)).toContain(field)
})

it('each field of an order that does not say what it means by its name is explained', () => {
  const document = openApi(SITE) as { readonly paths: Record<string, Record<string, Call>> }
  const { post } = document.paths['/api/partner/orders']!
  const { get } = document.paths['/api/partner/orders/{id}']!
  const unexplained = [
    post!.requestBody!.content['application/json']!,
    post!.responses['200']!.content['application/json']!,
    get!.responses['200']!.content['application/json']!,
  ].flatMap(({ schema: { properties } }) =>
    Object.keys(properties).filter(field => properties[field]!.description === undefined),
  )
  expect([...new Set(unexplained)]).toEqual(['currency', 'id'])
})

it('the sandbox is named beside the real site, and by itself as what it is', async () => {
  const beside = { ...SITE, sandboxUrl: 'https://sandbox.gifts.example.org' }
  expect(openApi(beside).servers).toEqual([
    { url: SITE.url },
    { url: beside.sandboxUrl, description: getT('en')('sandbox-notice') },
  ])
  expect(openApi({ ...SITE, sandbox: true }).servers).toEqual([
    { url: SITE.url, description: getT('en')('sandbox-notice') },
  ])
  expect(await complaints(openApi(beside))).toEqual([])
})
