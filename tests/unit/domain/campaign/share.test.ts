import { describe, expect, it } from 'vitest'
import { facebookUrl, isShareRef, SHARE_REFS, sharedUrl, whatsAppUrl } from '#domain/campaign/share.ts'

describe('the marks of shared links', () => {
  it('are the share buttons’ own, each once', () => {
    expect(SHARE_REFS).toEqual(['whatsapp-group', 'whatsapp-message', 'facebook-post', 'native', 'copy'])
  })

  it.each(SHARE_REFS)('know %s', ref => {
    expect(isShareRef(ref)).toBe(true)
  })

  it.each(['', 'WhatsApp-group', 'toString', 'twitter', null, undefined, 3, ['native']])(
    'take nothing else: %s',
    value => {
      expect(isShareRef(value)).toBe(false)
    },
  )

  it('come back with the link, however it was shared', () => {
    const url = sharedUrl('https://example.org/fr', 'facebook-post')
    expect(url).toBe('https://example.org/fr?shareRef=facebook-post')
    const text = 'Un cadeau & « plus » ? 100 %'
    const post = new URL(facebookUrl(text, url)).searchParams
    expect([post.get('u'), post.get('quote')]).toEqual([url, text])
    const message = new URL(whatsAppUrl(text, url))
    expect(message.searchParams.get('text')).toBe(`${text} ${url}`)
    expect(message.hostname).toBe('wa.me')
  })
})
