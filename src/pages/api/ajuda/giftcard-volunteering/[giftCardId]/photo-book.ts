import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readPhotoBook } from '#wire/volunteering.ts'

export const { GET, ALL } = endpoint(
  readPhotoBook,
  async (_, { app, param }) => {
    await app.volunteering.open(param('giftCardId'))
    return app.photoBook.progress()
  },
  { limit: 'card-read' },
)
