import { missingVolunteeringStep } from '#stores/volunteering.ts'
import { guardBy } from '../guard-by.ts'

/** On the way to an invitation. */
export const guardVolunteering = guardBy(missingVolunteeringStep)
