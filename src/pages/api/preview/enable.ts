import { previewSwitch } from '#server/http/handlers/preview-switch.ts'

export const { GET, ALL } = previewSwitch('/api/preview/enable', async ({ app, url, request }) => {
  const secret = url.searchParams.get('sanity-preview-secret') ?? ''
  if (url.searchParams.get('sanity-preview-perspective') !== 'published')
    return app.preview.enable(secret, 'drafts')
  // What visitors see needs no secret; to be held by the Studio, a page does.
  return (await app.preview.enable(secret, 'published')) ?? app.preview.disable(request.headers)
})
