import type {
  DocumentActionComponent,
  DocumentActionsContext,
  DocumentBadgeComponent,
  DocumentBadgesContext,
} from 'sanity'
import { REVIEWED_TYPES } from '../rules/review.ts'
import { SINGLETON_TYPES } from '../structure/singletons.ts'
import { MarkAsReviewed } from './mark-as-reviewed.ts'
import { ReviewBadge } from './review-badge.ts'
import { StartNextList } from './start-next-list.ts'

/** What would take away a document that the site cannot be without, or make a second one. */
const NOT_FOR_SINGLETONS: ReadonlySet<string | undefined> = new Set(['delete', 'duplicate', 'unpublish'])

/** Publish stays first; the product's own actions follow it. */
export function documentActions(
  given: DocumentActionComponent[],
  { schemaType }: DocumentActionsContext,
): DocumentActionComponent[] {
  const [first, ...rest] = SINGLETON_TYPES.has(schemaType)
    ? given.filter(({ action }) => !NOT_FOR_SINGLETONS.has(action))
    : given
  return [
    ...(first ? [first] : []),
    ...(REVIEWED_TYPES.includes(schemaType) ? [MarkAsReviewed] : []),
    ...(schemaType === 'ngoList' ? [StartNextList] : []),
    ...rest,
  ]
}

export const documentBadges = (
  given: DocumentBadgeComponent[],
  { schemaType }: DocumentBadgesContext,
): DocumentBadgeComponent[] => (REVIEWED_TYPES.includes(schemaType) ? [...given, ReviewBadge] : given)
