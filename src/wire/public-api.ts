import { z } from 'zod'
import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import type { PartnerScope } from '#domain/partner/partner.ts'
import type { ProblemCode } from '#domain/problems.ts'
import { createPartnerOrder, readPartnerOrder } from './partner.ts'
import {
  PUBLIC_FIGURES_CSV_PATH,
  PUBLIC_STATUS_CSV_PATH,
  readPublicFigures,
  readPublicStatus,
} from './public.ts'
import { listOrganisations, listPackages } from './public-offer.ts'

/** Where the description of the public interface is. */
export const OPENAPI_PATH = '/api/openapi.json'

/** What somebody else's program may call (decision 118). Its words are those of the catalogues: `developers-{id}`. */
export interface Operation {
  readonly id: string
  readonly about: 'offer' | 'orders' | 'figures' | 'ledger'
  readonly method: 'GET' | 'POST'
  /** With parameters in braces. */
  readonly path: string
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly headers?: Readonly<Record<string, Parameter>>
  /** What is sent, as JSON, with an example that reads as a whole one. */
  readonly body?: { readonly schema: z.ZodType; readonly example: Readonly<Record<string, unknown>> }
  /** What a partner's key has to be for; without it nobody needs a key. */
  readonly scope?: PartnerScope
  readonly answer: { readonly type: string; readonly schema: z.ZodType }
  readonly problems: readonly ProblemCode[]
}

interface Parameter {
  readonly schema: z.ZodType
  readonly example: string | number
}

const JSON_TYPE = 'application/json'
const text = z.string()
/** Everything that is read has a limit. */
const READING = ['too-many-requests'] as const satisfies readonly ProblemCode[]
const MOST = 999_999_999_999_999
const line: Parameter = { schema: z.int().min(0).max(MOST), example: 0 }
const csv = (id: string, path: string): Operation => ({
  id,
  about: 'figures',
  method: 'GET',
  path,
  answer: { type: 'text/csv', schema: text },
  problems: READING,
})
/** Why a partner's program is not let in. */
const PARTNERS_ALONE = [
  'foreign-origin',
  'partner-key-missing',
  'partner-key-unknown',
  'partner-key-of-sandbox',
  'partner-key-of-real-site',
  'scope-missing',
  'too-many-requests',
  'temporarily-unavailable',
] as const satisfies readonly ProblemCode[]
/** What a partner may send to have a payment opened; the version of the terms is that of `packages`. */
export const EXAMPLE_ORDER = {
  package: 'their food',
  amount: 5000,
  support_amount: 0,
  currency: 'EUR',
  theme: 'palestine',
  language: DEFAULT_LANGUAGE,
  sender_name: null,
  reference: 'cart 7',
  terms_version: '0123456789abcdef0123',
  fulfilment_consent: true,
} as const
const ledgerText = (id: string, path: string, parameters: Operation['parameters'] = {}): Operation => ({
  id,
  about: 'ledger',
  method: 'GET',
  path: `/ledger/${path}`,
  parameters,
  answer: { type: 'text/plain', schema: text },
  problems: ['not-found', ...(path === 'checkpoint' ? [] : READING)],
})
const tile = {
  level: { schema: z.string().regex(/^(entries|[0-9]|[1-5][0-9]|6[0-3])$/), example: 'entries' },
  tile: { schema: z.string().regex(/^[0-9]{3}$/), example: '000' },
}
const ledgerTile = (id: string, rest: string, more: Operation['parameters'] = {}): Operation => ({
  id,
  about: 'ledger',
  method: 'GET',
  path: `/ledger/tile/{level}/${rest}`,
  parameters: { ...tile, ...more },
  answer: { type: 'application/octet-stream', schema: text },
  problems: ['not-found'],
})

/** Every operation, in the order in which it is shown. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'organisations',
    about: 'offer',
    method: 'GET',
    path: listOrganisations.path,
    answer: { type: JSON_TYPE, schema: listOrganisations.response },
    problems: READING,
  },
  {
    id: 'packages',
    about: 'offer',
    method: 'GET',
    path: listPackages.path,
    answer: { type: JSON_TYPE, schema: listPackages.response },
    problems: READING,
  },
  {
    id: 'create-order',
    about: 'orders',
    method: 'POST',
    path: createPartnerOrder.path,
    headers: {
      'Idempotency-Key': { schema: z.string().regex(/^[!-~]{16,200}$/), example: 'cart-7-of-2026-11-26' },
    },
    body: { schema: createPartnerOrder.request, example: EXAMPLE_ORDER },
    scope: 'orders:create',
    answer: { type: JSON_TYPE, schema: createPartnerOrder.response },
    problems: [
      ...PARTNERS_ALONE,
      'idempotency-key-missing',
      'unsupported-content-type',
      'body-too-large',
      'invalid-fields',
      'price-not-listed',
      'ngo-not-listed',
      'terms-changed',
      'summary-changed',
      'terms-missing',
      'provider-unavailable',
    ],
  },
  {
    id: 'read-order',
    about: 'orders',
    method: 'GET',
    path: readPartnerOrder.path,
    parameters: { id: { schema: z.string().max(128), example: '01jdk3v5q8z0y2x4w6v8t0r2p4' } },
    scope: 'orders:read',
    answer: { type: JSON_TYPE, schema: readPartnerOrder.response },
    problems: [...PARTNERS_ALONE, 'payment-not-found'],
  },
  {
    id: 'figures',
    about: 'figures',
    method: 'GET',
    path: readPublicFigures.path,
    answer: { type: JSON_TYPE, schema: readPublicFigures.response },
    problems: READING,
  },
  csv('figures-csv', PUBLIC_FIGURES_CSV_PATH),
  {
    id: 'status',
    about: 'figures',
    method: 'GET',
    path: readPublicStatus.path,
    answer: { type: JSON_TYPE, schema: readPublicStatus.response },
    problems: READING,
  },
  csv('status-csv', PUBLIC_STATUS_CSV_PATH),
  ledgerText('checkpoint', 'checkpoint'),
  ledgerText('proof', 'proof/{line}', { line }),
  ledgerText('growth', 'growth/{lines}', {
    lines: { schema: z.int().min(1).max(MOST), example: 1 },
  }),
  ledgerTile('tile', '{tile}'),
  ledgerTile('partial-tile', '{tile}.p/{width}', {
    width: { schema: z.int().min(1).max(255), example: 1 },
  }),
]

/**
 * An operation's address with the example of each parameter.
 * @param known what stands in the place of some examples
 */
export function examplePath(
  { path, parameters = {} }: Operation,
  known: Readonly<Record<string, string | number>> = {},
): string {
  return Object.entries(parameters).reduce(
    (filled, [name, { example }]) => filled.replace(`{${name}}`, String(known[name] ?? example)),
    path,
  )
}

/** What somebody writes into their own page to show the packages there. The link is for readers without scripts. */
export function widgetMarkup(
  site: string,
  fallback: { readonly language: string; readonly path: string; readonly words: string },
): string {
  const { language, path, words } = fallback
  return [
    `<script src="${site}/widget.js" async></script>`,
    `<gifts-that-give lang="${language}">`,
    `  <a href="${site}${path}">${words}</a>`,
    '</gifts-that-give>',
  ].join('\n')
}

/** What somebody types to open a payment in the sandbox, with a key of it in `KEY`. @param site the sandbox's address */
export function sandboxExample(site: string): string {
  const order = JSON.stringify({ ...EXAMPLE_ORDER, terms_version: '$TERMS' })
  return [
    `SITE=${site}`,
    'KEY=sandbox_…',
    `TERMS=$(curl -s $SITE${listPackages.path} | grep -o '"version":"[0-9a-f]*"' | cut -d '"' -f 4)`,
    `curl $SITE${createPartnerOrder.path} -H "Authorization: Bearer $KEY" \\`,
    '  -H "Idempotency-Key: my-first-order-$(date +%s)" -H "Content-Type: application/json" \\',
    `  -d '${order.replace('$TERMS', `'$TERMS'`)}'`,
  ].join('\n')
}
