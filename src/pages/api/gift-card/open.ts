import { openGift as open } from '#server/http/handlers/open-gift.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { openGift } from '#wire/gift-link.ts'

export const { POST, ALL } = endpoint(
  openGift,
  async ({ link }, { app, headers, setCookies }) => {
    const { to, cookies } = await open(app, link, headers)
    setCookies(cookies)
    return { to }
  },
  { limit: 'card-read' },
)
