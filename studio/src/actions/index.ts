import type {
  DocumentActionComponent,
  DocumentActionsContext,
  DocumentBadgeComponent,
  DocumentBadgesContext,
} from 'sanity'
import { REVIEWED_TYPES } from '../rules/review.ts'
import { SINGLETON_TYPES } from '../structure/singletons.ts'
import { keepLastPackage } from './keep-last-package.ts'
import { MarkAsReviewed } from './mark-as-reviewed.ts'
import { publishWhenSettled } from './publish-when-settled.ts'
import { ReviewBadge } from './review-badge.ts'
import { StartNextList } from './start-next-list.ts'

type Action = DocumentActionComponent['action']

/** What would take away a document that the site cannot be without, or make a second one. */
const NOT_FOR_SINGLETONS: readonly Action[] = ['delete', 'duplicate', 'unpublish']
/** A copy of a list in the same year could never be published; the next year's has an action of its own. */
const NOT_FOR_LISTS: readonly Action[] = ['duplicate']

/** Publish stays first; the product's own actions follow it. */
export function documentActions(
  given: DocumentActionComponent[],
  { schemaType }: DocumentActionsContext,
): DocumentActionComponent[] {
  const [first, ...rest] = given.filter(({ action }) => !withheld(schemaType).includes(action))
  return [
    ...(first ? [first.action === 'publish' ? publishWhenSettled(first) : first] : []),
    ...(REVIEWED_TYPES.includes(schemaType) ? [MarkAsReviewed] : []),
    ...(schemaType === 'ngoList' ? [StartNextList] : []),
    ...(schemaType === 'giftPackage' ? rest.map(keptFromLast) : rest),
  ]
}

const keptFromLast = (action: DocumentActionComponent): DocumentActionComponent =>
  action.action === 'delete' || action.action === 'unpublish' ? keepLastPackage(action) : action

function withheld(schemaType: string): readonly Action[] {
  if (SINGLETON_TYPES.has(schemaType)) return NOT_FOR_SINGLETONS
  return schemaType === 'ngoList' ? NOT_FOR_LISTS : []
}

export const documentBadges = (
  given: DocumentBadgeComponent[],
  { schemaType }: DocumentBadgesContext,
): DocumentBadgeComponent[] => (REVIEWED_TYPES.includes(schemaType) ? [...given, ReviewBadge] : given)
