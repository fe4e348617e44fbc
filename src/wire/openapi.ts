import { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '#domain/problems.ts'
import { OPERATIONS, type Operation } from './public-api.ts'

interface Site {
  /** The site's address, without a slash at its end. */
  readonly url: string
  readonly version: string
  /** Is this a sandbox? */
  readonly sandbox?: boolean
  /** Of the real site: where its sandbox is. */
  readonly sandboxUrl?: string | undefined
  /** Looks words up: `developers-…`. */
  readonly say: (key: string) => string
}

/** What every refusal says (RFC 9457). */
const problem = z.object({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
  detail: z.string().optional(),
  fields: z.array(z.object({ path: z.string(), rule: z.string() })).optional(),
})

/** What the document calls the key of a partner. */
const PARTNER_KEY = 'partnerKey'

/** How a schema is called in the document, as it goes over the wire. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      // The words of OpenAPI for something else, and the bounds of every number of JavaScript.
      delete jsonSchema.readOnly
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  return rest
}

const camel = (id: string): string => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The refusals of an operation by their status: several codes may share one. */
function refusals({ problems }: Operation): Record<string, unknown> {
  const codes = Map.groupBy(problems, code => String(PROBLEMS[code]))
  return Object.fromEntries(
    [...codes].map(([status, all]) => [
      status,
      {
        description: all.map(code => `\`${code}\``).join(', '),
        ...(all.includes('too-many-requests') && {
          headers: {
            'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } },
          },
        }),
        ...(!all.includes('not-found') && {
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        }),
      },
    ]),
  )
}

function described(operation: Operation, { say }: Site): Record<string, unknown> {
  const { id, about, parameters = {}, headers = {}, body, scope, answer } = operation
  const named = (all: NonNullable<Operation['parameters']>, where: 'path' | 'header') =>
    Object.entries(all).map(([name, { schema, example }]) => ({
      name,
      in: where,
      required: true,
      schema: schemaOf(schema, 'input'),
      example,
    }))
  const takes = [...named(parameters, 'path'), ...named(headers, 'header')]
  return {
    operationId: camel(id),
    tags: [say(`developers-about-${about}`)],
    summary: say(`developers-${id}`),
    description: say(`developers-${id}-text`),
    security: scope ? [{ [PARTNER_KEY]: [scope] }] : [],
    ...(takes.length > 0 && { parameters: takes }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemaOf(body.schema, 'input'), example: body.example },
        },
      },
    }),
    responses: {
      200: {
        description: say(`developers-${id}`),
        content: { [answer.type]: { schema: schemaOf(answer.schema, 'output') } },
      },
      ...refusals(operation),
    },
  }
}

/** What is offered to programs, as OpenAPI 3.1 has it: made of the very schemas that the calls are checked by. */
export function openApi(site: Site): Record<string, unknown> {
  const { url, version, say, sandbox = false, sandboxUrl } = site
  const paths = Map.groupBy(OPERATIONS, ({ path }) => path)
  const abouts = [...new Set(OPERATIONS.map(({ about }) => about))]
  return {
    openapi: '3.1.0',
    info: {
      title: say('developers-title'),
      description: say('developers-lead'),
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      sandbox ? { url, description: say('sandbox-notice') } : { url },
      ...(sandboxUrl === undefined ? [] : [{ url: sandboxUrl, description: say('sandbox-notice') }]),
    ],
    tags: abouts.map(about => ({
      name: say(`developers-about-${about}`),
      description: say(`developers-about-${about}-text`),
    })),
    paths: Object.fromEntries(
      [...paths].map(([path, operations]) => [
        path,
        Object.fromEntries(operations.map(each => [each.method.toLowerCase(), described(each, site)])),
      ]),
    ),
    components: {
      schemas: { Problem: schemaOf(problem, 'output') },
      securitySchemes: {
        [PARTNER_KEY]: { type: 'http', scheme: 'bearer', description: say('developers-about-orders-text') },
      },
    },
  }
}
