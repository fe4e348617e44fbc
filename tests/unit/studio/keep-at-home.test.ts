import { describe, expect, it, vi } from 'vitest'
import { keepAtHome, LAKE_HOST } from '../../../studio/src/local/keep-at-home.ts'

function openPage() {
  const sent = vi.fn<typeof fetch>(async () => new Response('from the network'))
  const page = { fetch: sent, location: { origin: 'http://127.0.0.1:4321' } }
  keepAtHome(page)
  return { page, sent }
}

describe('the Studio of a site without an account', () => {
  it.each([
    'https://sanity-cdn.com/v1/modules/sanity/latest',
    'https://api.sanity.io/vX/ping',
    'https://abc.api.sanity.io/x',
  ])('sends nothing to %s', async address => {
    const { page, sent } = openPage()
    expect(await (await page.fetch(address)).json()).toEqual({})
    expect((await page.fetch(new URL(address), { method: 'POST' })).status).toBe(503)
    expect(sent).not.toHaveBeenCalled()
  })

  it.each(['/vX/users/me', 'http://127.0.0.1:4321/x', 'https://notsanity.io/'])(
    'lets %s pass',
    async address => {
      const { page, sent } = openPage()
      await page.fetch(address)
      expect(sent).toHaveBeenCalledWith(address, undefined)
    },
  )

  it('turns to its own address what Sanity would send to a host named after the project', async () => {
    const { page, sent } = openPage()
    const { protocol, host } = new URL(LAKE_HOST)
    await page.fetch(`${protocol}//local.${host}/vX/users/me?tag=a`, { credentials: 'include' })
    expect(sent).toHaveBeenCalledWith(new URL('http://127.0.0.1:4321/vX/users/me?tag=a'), {
      credentials: 'include',
    })
  })
})
