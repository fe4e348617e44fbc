import { missingStep } from '#stores/choices.ts'
import { guardBy } from './guard-by.ts'

/** On the ways to a gift card. */
export const guard = guardBy(missingStep)
