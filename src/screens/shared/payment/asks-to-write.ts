import type { ProblemCode } from '#domain/problems.ts'

/** Refusals of a payment that no other try helps against: the screen shows at once how to write to us. */
const ASKED: ReadonlySet<string> = new Set<ProblemCode>(['line-full', 'terms-missing'])

/** Does the screen offer to write to us as soon as it says this? @param code of a problem */
export const asksToWrite = (code: string): boolean => ASKED.has(code)
