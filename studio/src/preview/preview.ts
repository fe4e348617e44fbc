import { defineDocuments, defineLocations, type PresentationPluginOptions } from 'sanity/presentation'
import { LANGUAGE_NAMES } from '../languages/names.ts'
import { LANGUAGES, localizedPath, SOURCE_LANGUAGE } from '../product.ts'
import { PAGE_TITLES } from '../schemas/page.ts'

/** Where the pages of text stand on the site, by their slug. */
const PAGE_PATHS: Readonly<Record<string, string>> = {
  'who-we-are': '/who-we-are',
  'cookie-policy': '/cookies-policy',
  'legal-notice': '/legal-notice',
  terms: '/terms',
  privacy: '/privacy',
}
const LIST_PATH = '/intro/ngo-list'
const THEMES_PATH = '/intro/choose-theme'

const inEachLanguage = (title: string, path: string) =>
  LANGUAGES.map(language => ({
    title: `${title} · ${LANGUAGE_NAMES[language]}`,
    href: localizedPath(language, path),
  }))

const giftPages = inEachLanguage('The cards', '/intro/packages-donation')
const invitationPages = inEachLanguage('The invitation', '/intro/packages-volunteering')

const listPages = inEachLanguage('The list', LIST_PATH)

/** The real page beside the document, with the operator's drafts in it. */
export const preview: PresentationPluginOptions = {
  title: 'Preview',
  previewUrl: {
    initial: localizedPath(SOURCE_LANGUAGE, LIST_PATH),
    previewMode: { enable: '/api/preview/enable', disable: '/api/preview/disable' },
  },
  resolve: {
    // The list's page shows many documents: naming one of them would take the place of the organisation whose draft
    // the operator came to see, whenever the page answers after the form is there.
    mainDocuments: defineDocuments(
      Object.entries(PAGE_PATHS).map(([slug, path]) => ({
        route: `/:language${path}`,
        filter: `_type == "page" && slug.current == "${slug}"`,
      })),
    ),
    locations: {
      ngo: defineLocations({ locations: listPages }),
      ngoList: defineLocations({ locations: listPages }),
      theme: defineLocations({ locations: inEachLanguage('Choosing a theme', THEMES_PATH) }),
      giftPackage: defineLocations({ locations: giftPages }),
      invitationPackage: defineLocations({ locations: invitationPages }),
      page: defineLocations({
        select: { slug: 'slug.current' },
        resolve: value => {
          const slug = String(value?.slug)
          const path = PAGE_PATHS[slug]
          return path === undefined ? null : { locations: inEachLanguage(PAGE_TITLES[slug] ?? 'Page', path) }
        },
      }),
    },
  },
}
