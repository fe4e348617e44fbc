import { expect, test } from '../support/e2e/test.ts'

const LIST = '/es/intro/ngo-list'
const DRAFT = 'Borrador sin aviso'

/** As the Studio's preview writes it down. */
const SECRET = { _id: 'drafts.secret-of-preview', _type: 'sanity.previewUrlSecret', secret: 'of-this-test' }

test('a page in the Studio’s preview shows a draft that the Studio told of while the page was loading', async ({
  page,
  site,
}) => {
  const change = async (...mutations: readonly object[]): Promise<void> => {
    const answer = await fetch(`${site.url}/v2026-05-04/data/mutate/production`, {
      method: 'POST',
      body: JSON.stringify({ mutations }),
    })
    expect(answer.status).toBe(200)
  }
  await change({ createOrReplace: SECRET })
  const query = new URLSearchParams({ query: '*[_id == "ngo-msf"][0]' })
  const published = await fetch(`${site.url}/v2026-05-04/data/query/production?${query}`)
  const { result: organisation } = await published.json()
  const secret = { 'sanity-preview-secret': SECRET.secret, 'sanity-preview-pathname': LIST }
  try {
    await page.goto(`/api/preview/enable?${new URLSearchParams(secret)}`)
    // A page of the same address that frames another: the visitors' pages frame nothing.
    await page.route('**/frame', route => route.fulfill({ contentType: 'text/html', body: '<body></body>' }))
    await page.goto('/frame')
    await page.evaluate(holdAsTheStudioDoes, LIST)
    const shown = page.frameLocator('iframe')
    await expect(shown.locator('[data-drafts="drafts"]')).toBeVisible()

    // The Studio said so to the page before this one: this one hears nothing.
    const title = { ...organisation.title, es: DRAFT }
    await change({ createOrReplace: { ...organisation, _id: 'drafts.ngo-msf', title } })
    await expect(shown.getByText(DRAFT).first()).toBeVisible({ timeout: 20_000 })
  } finally {
    await change({ delete: { id: 'drafts.ngo-msf' } }, { delete: { id: SECRET._id } })
  }
})

/** Puts the page into a frame, and shakes hands with each that is loaded there. */
async function holdAsTheStudioDoes(path: string): Promise<void> {
  const frame = document.createElement('iframe')
  const message = { domain: 'sanity/channels', from: 'presentation', to: 'overlays' }
  const say = (type: string) =>
    frame.contentWindow?.postMessage({ ...message, type, id: type, connectionId: 'one' }, location.origin)
  frame.addEventListener('load', () => {
    say('handshake/syn')
    say('handshake/ack')
  })
  frame.src = path
  document.body.append(frame)
}
