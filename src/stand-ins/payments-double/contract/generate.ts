import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'
import type { Contract, Fields, Shape } from './shapes.ts'

/**
 * Derives the contract of the payments double from the declarations of the installed `stripe` package: which
 * parameters each endpoint takes, and which keys each object always has. The compiler alone does not guard
 * callers, because the package's enums end in an open string. Run `node src/stand-ins/payments-double/contract/generate.ts`
 * after each update of the package; a test compares the committed JSON with a fresh one.
 */
const PACKAGE = new URL('../../../../node_modules/stripe/', import.meta.url)
const OUTPUT = new URL('./generated/contract.json', import.meta.url)

const REQUESTS: readonly (readonly [endpoint: string, file: string, type: string])[] = [
  ['POST /v1/checkout/sessions', 'Checkout/Sessions', 'Checkout.SessionCreateParams'],
  ['GET /v1/checkout/sessions', 'Checkout/Sessions', 'Checkout.SessionListParams'],
  ['GET /v1/checkout/sessions/:id', 'Checkout/Sessions', 'Checkout.SessionRetrieveParams'],
  ['POST /v1/checkout/sessions/:id/expire', 'Checkout/Sessions', 'Checkout.SessionExpireParams'],
  ['GET /v1/checkout/sessions/:id/line_items', 'Checkout/Sessions', 'Checkout.SessionListLineItemsParams'],
  ['POST /v1/refunds', 'Refunds', 'RefundCreateParams'],
  ['GET /v1/refunds', 'Refunds', 'RefundListParams'],
  ['GET /v1/refunds/:id', 'Refunds', 'RefundRetrieveParams'],
  ['GET /v1/events', 'Events', 'EventListParams'],
  ['GET /v1/events/:id', 'Events', 'EventRetrieveParams'],
  ['GET /v1/payment_intents', 'PaymentIntents', 'PaymentIntentListParams'],
  ['GET /v1/payment_intents/:id', 'PaymentIntents', 'PaymentIntentRetrieveParams'],
  ['GET /v1/charges', 'Charges', 'ChargeListParams'],
  ['GET /v1/charges/:id', 'Charges', 'ChargeRetrieveParams'],
  ['GET /v1/disputes', 'Disputes', 'DisputeListParams'],
  ['GET /v1/disputes/:id', 'Disputes', 'DisputeRetrieveParams'],
  ['POST /v1/disputes/:id', 'Disputes', 'DisputeUpdateParams'],
  ['POST /v1/disputes/:id/close', 'Disputes', 'DisputeCloseParams'],
  ['GET /v1/balance_transactions', 'BalanceTransactions', 'BalanceTransactionListParams'],
  ['GET /v1/balance_transactions/:id', 'BalanceTransactions', 'BalanceTransactionRetrieveParams'],
  ['GET /v1/payouts', 'Payouts', 'PayoutListParams'],
  ['GET /v1/payouts/:id', 'Payouts', 'PayoutRetrieveParams'],
]

const RESPONSES: readonly (readonly [object: string, file: string, type: string])[] = [
  ['checkout.session', 'Checkout/Sessions', 'Session'],
  ['item', 'LineItems', 'LineItem'],
  ['price', 'Prices', 'Price'],
  ['payment_intent', 'PaymentIntents', 'PaymentIntent'],
  ['payment_method', 'PaymentMethods', 'PaymentMethod'],
  ['charge', 'Charges', 'Charge'],
  ['refund', 'Refunds', 'Refund'],
  ['dispute', 'Disputes', 'Dispute'],
  ['balance_transaction', 'BalanceTransactions', 'BalanceTransaction'],
  ['payout', 'Payouts', 'Payout'],
  ['event', 'Events', 'EventBase'],
]

/** Reads the installed package and gives the contract; about three seconds. */
export function generateContract(): Contract {
  const path = (file: string) => new URL(`esm/resources/${file}.d.ts`, PACKAGE).pathname
  const program = ts.createProgram(
    [...REQUESTS, ...RESPONSES].map(([, file]) => path(file)),
    {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      types: [],
    },
  )
  const checker = program.getTypeChecker()

  const typeNamed = (file: string, name: string): ts.Type => {
    const source = program.getSourceFile(path(file))
    let scope = source && checker.getSymbolAtLocation(source)
    for (const part of name.split('.'))
      scope = scope && checker.getExportsOfModule(scope).find(symbol => symbol.name === part)
    if (!scope) throw new Error(`The stripe package no longer declares ${name} in ${file}`)
    return checker.getDeclaredTypeOfSymbol(scope)
  }
  const read = createReader(checker)

  return {
    apiVersion: constant(read.text('esm/apiVersion.js'), /ApiVersion = '([^']+)'/),
    sdkVersion: constant(read.text('package.json'), /"version": "([^"]+)"/),
    requests: Object.fromEntries(
      REQUESTS.map(([endpoint, file, type]) => [endpoint, read.fields(typeNamed(file, type))]),
    ),
    responses: Object.fromEntries(
      RESPONSES.map(([object, file, type]) => [object, read.presentKeys(typeNamed(file, type))]),
    ),
  }
}

function createReader(checker: ts.TypeChecker) {
  const properties = (type: ts.Type) =>
    checker
      .getPropertiesOfType(type)
      .map(symbol => ({
        name: symbol.name,
        optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
        type: checker.getTypeOfSymbol(symbol),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))

  const fields = (type: ts.Type): Fields =>
    Object.fromEntries(
      properties(type).map(property => [
        property.name,
        property.optional ? shape(property.type) : { ...shape(property.type), required: true as const },
      ]),
    )

  const shape = (type: ts.Type): Shape => {
    if (!type.isUnion()) return single(type)
    const isEmpty = (part: ts.Type) =>
      (part.flags & ts.TypeFlags.Null) !== 0 || (part.isStringLiteral() && part.value === '')
    const empty = type.types.some(isEmpty) ? { empty: true as const } : {}
    const parts = type.types.filter(part => !isEmpty(part) && !(part.flags & ts.TypeFlags.Undefined))
    const literals = parts.filter(part => part.isStringLiteral())
    if (literals.length > 0)
      return { kind: 'enum', values: literals.map(part => part.value).sort(), ...empty }
    const shapes = parts.map(single)
    const [first, ...others] = shapes.filter(
      (one, index) => shapes.findIndex(other => JSON.stringify(other) === JSON.stringify(one)) === index,
    )
    if (!first) throw new Error(`Nothing to send for ${checker.typeToString(type)}`)
    return others.length > 0 ? { kind: 'either', of: [first, ...others], ...empty } : { ...first, ...empty }
  }

  const single = (type: ts.Type): Shape => {
    if (type.isStringLiteral()) return { kind: 'enum', values: [type.value] }
    if (type.symbol?.name === 'Decimal') return { kind: 'string' }
    // An open string (`string & Record<never, never>`) is an intersection.
    if (type.flags & (ts.TypeFlags.String | ts.TypeFlags.Intersection)) return { kind: 'string' }
    if (type.flags & ts.TypeFlags.NumberLike) return { kind: 'number' }
    if (type.flags & ts.TypeFlags.BooleanLike) return { kind: 'boolean' }
    if (checker.isArrayType(type))
      return { kind: 'array', of: shape(checker.getTypeArguments(type as ts.TypeReference)[0]!) }
    if (checker.getIndexInfosOfType(type).length > 0) return { kind: 'dictionary' }
    if (type.flags & ts.TypeFlags.Object) return { kind: 'object', fields: fields(type) }
    throw new Error(`No form encoding known for ${checker.typeToString(type)}`)
  }

  const presentKeys = (type: ts.Type) => {
    const present = properties(type).filter(property => !property.optional)
    const nullable = (one: ts.Type) =>
      one.isUnion() && one.types.some(part => (part.flags & ts.TypeFlags.Null) !== 0)
    return {
      given: present.filter(property => !nullable(property.type)).map(property => property.name),
      nullable: present.filter(property => nullable(property.type)).map(property => property.name),
    }
  }

  return { fields, presentKeys, text: (file: string) => readFileSync(new URL(file, PACKAGE), 'utf8') }
}

function constant(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1]
  if (!found) throw new Error(`The stripe package no longer contains ${pattern}`)
  return found
}

/** The exact text of the committed file. */
export const contractText = () => `${JSON.stringify(generateContract(), null, 1)}\n`

if (import.meta.main) {
  mkdirSync(new URL('.', OUTPUT), { recursive: true })
  writeFileSync(OUTPUT, contractText())
}
