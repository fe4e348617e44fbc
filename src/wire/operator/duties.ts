import { z } from 'zod'
import { DUTY_NAMES } from '#domain/desk/duties.ts'
import { defineContract } from '../contract.ts'
import { carriedOut } from './parts.ts'

/** What the operator has to do now, first what is late. Days are `YYYY-MM-DD`. */
export const readDue = defineContract({
  method: 'GET',
  path: '/api/operator/due',
  request: z.undefined(),
  response: z
    .array(
      z.object({
        name: z.enum(DUTY_NAMES),
        title: z.string(),
        waiting: z.string().optional(),
        opened: z.string(),
        until: z.string(),
        isLate: z.boolean(),
        command: z.string(),
        guide: z.string(),
        known: z.enum(['data', 'noted', 'content', 'version']),
      }),
    )
    .readonly()
    .transform(due =>
      due.map(({ isLate, waiting, ...each }) => ({ ...each, is_late: isLate, waiting: waiting ?? null })),
    ),
})

/** Notes that a duty was done which no data show. It needs an `Idempotency-Key`. */
export const noteDuty = defineContract({
  method: 'POST',
  path: '/api/operator/did',
  request: z.object({ duty: z.enum(DUTY_NAMES) }),
  response: carriedOut,
})

/** What goes over the wire, for the Studio's tool. */
export type DueAnswer = z.output<typeof readDue.response>
