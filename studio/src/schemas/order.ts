import { defineField, type SortOrdering } from 'sanity'
import { checkPlace } from '../checks/place.ts'

/** The place of a document among those of its kind; the first is 1. */
export const placeField = (description: string) =>
  defineField({
    name: 'place',
    title: 'Place',
    description,
    type: 'number',
    validation: rule => [
      rule.required().integer().min(1).max(9_999).error('A whole number; the first place is 1.'),
      rule.custom(checkPlace).warning(),
    ],
  })

export const byPlace: SortOrdering = {
  name: 'place',
  title: 'As on the site',
  by: [
    { field: 'place', direction: 'asc' },
    { field: '_id', direction: 'asc' },
  ],
}
