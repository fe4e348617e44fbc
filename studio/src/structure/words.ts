import { defineLocaleResourceBundle } from 'sanity'

const locale = 'en-US'

/** What the Studio says where a list is empty, with the way on. */
export const emptyLists = defineLocaleResourceBundle({
  locale,
  namespace: 'structure',
  resources: {
    // Of all lists only “Review due” asks for more than a kind of document.
    'panes.document-list-pane.no-matching-documents.text':
      'Nothing is due: everything was reviewed within the year. Reviews begin anew when you start next year’s list (This year’s list → the dots beside Publish).',
    'panes.document-list-pane.no-documents-of-type.text':
      'There is nothing here yet. Press + above to make the first.',
    'panes.document-list-pane.no-documents.text':
      'Nothing is found by these words. Clear the search to see everything again.',
  },
})

/** What it says of a picture that was refused: operators do not look into the browser's console. */
export const uploads = defineLocaleResourceBundle({
  locale,
  namespace: 'studio',
  resources: {
    'asset-sources.common.uploader.upload-failed.description':
      'The site did not keep it. It takes pictures (JPEG, PNG, WebP, AVIF) of at most 20 MB and 120 million pixels, twelve at a time. If yours is one, try again in a moment, fewer at once; else choose a smaller one.',
  },
})
