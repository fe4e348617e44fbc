import { perLanguage } from '#domain/languages.ts'
import { legalPath } from '#paths'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { publicPackages } from '#server/modules/content/public-offer.ts'
import { listPackages } from '#wire/public-offer.ts'

export const { GET, ALL } = endpoint(
  listPackages,
  async (_, { app: { content, legal, settings } }) => {
    const version = legal.inForce('terms')?.version
    const links = perLanguage(language => settings.siteUrl + legalPath(language, 'terms', version))
    return {
      ...publicPackages(content.snapshot()),
      terms: version === undefined ? null : { version, links },
    }
  },
  { limit: 'public-read', anyOrigin: true },
)
