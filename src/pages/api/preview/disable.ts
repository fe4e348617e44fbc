import { previewSwitch } from '#server/http/handlers/preview-switch.ts'

export const { GET, ALL } = previewSwitch('/api/preview/disable', async ({ app, request }) =>
  app.preview.disable(request.headers),
)
