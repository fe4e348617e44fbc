import { defineField } from 'sanity'

/** Who looked at a document last, and when: written by “Mark as reviewed”, never by hand. */
export const reviewFields = [
  defineField({
    name: 'reviewedAt',
    title: 'Reviewed on',
    description: 'Set by “Mark as reviewed”, in the menu beside Publish.',
    type: 'date',
    readOnly: true,
  }),
  defineField({ name: 'reviewedBy', title: 'Reviewed by', type: 'string', readOnly: true }),
]
