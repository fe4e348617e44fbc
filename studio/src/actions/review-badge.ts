import type { DocumentBadgeComponent } from 'sanity'
import { dayOf } from '../rules/days.ts'
import { reviewState } from '../rules/review.ts'

/** When the document was last looked at. */
export const ReviewBadge: DocumentBadgeComponent = ({ draft, published }) => {
  const shown = draft ?? published
  if (!shown) return null
  const state = reviewState(shown.reviewedAt, dayOf(new Date()))
  if (state.kind === 'never')
    return { label: 'Never reviewed', color: 'warning', title: 'Nobody has reviewed this' }
  const by = typeof shown.reviewedBy === 'string' ? ` by ${shown.reviewedBy}` : ''
  return state.kind === 'due'
    ? { label: `Review due (${state.last})`, color: 'warning', title: `Last reviewed on ${state.last}${by}` }
    : { label: `Reviewed ${state.last}`, color: 'success', title: `Reviewed on ${state.last}${by}` }
}
