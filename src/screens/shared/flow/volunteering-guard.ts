import { missingVolunteeringStep } from '#screens/shared/choices/volunteering.store.ts'
import { guardBy } from './guard.ts'

/** On the way to an invitation. */
export const guardVolunteering = guardBy(missingVolunteeringStep)
