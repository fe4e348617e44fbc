import { missingStep } from '#screens/shared/choices/missing-step.ts'
import { guardBy } from './guard.ts'

/** On the ways to a gift card. */
export const guard = guardBy(missingStep)
