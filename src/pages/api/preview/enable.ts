import { previewSwitch } from '#server/http/preview-switch.ts'

export const { GET, ALL } = previewSwitch('/api/preview/enable', async ({ app, url }) => {
  // Who asks for what visitors see needs no secret.
  if (url.searchParams.get('sanity-preview-perspective') === 'published') return app.preview.disable()
  return app.preview.enable(url.searchParams.get('sanity-preview-secret') ?? '')
})
