import { CMS_NEWS_PATH } from '#paths'
import { signedNews } from '#server/http/handlers/content-webhook.ts'

export const { POST, ALL } = signedNews(CMS_NEWS_PATH, {
  header: 'sanity-webhook-signature',
  receive: async (app, body, signature) => app.cms.receiveNews(body, signature),
})
