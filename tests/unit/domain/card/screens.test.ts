import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeFor } from '#domain/card/screens.ts'
import { RECEIVER_SCREENS } from '#domain/receiver/introductions.ts'

const unused = { authority: 'full', consumed: false } as const
const used = { authority: 'full', consumed: true } as const
const preview = { authority: 'preview', consumed: false } as const
const story = RECEIVER_SCREENS.filter(screen => screen.startsWith('introduction') || screen === 'select-ngo')

describe('the screen of a card', () => {
  it.each(story)('%s shows for a card that is not used yet', screen => {
    expect(placeFor({ screen, view: unused })).toBe('show')
    expect(placeFor({ screen, view: preview })).toBe('show')
  })

  it.each(RECEIVER_SCREENS.filter(screen => screen !== 'consumed' && screen !== 'own-money'))(
    '%s leads a used card to consumed',
    screen => {
      expect(placeFor({ screen, view: used })).toBe('consumed')
    },
  )

  it('is own money for whoever has a card, used or not, and for no card that is missing', () => {
    for (const view of [unused, used, preview]) expect(placeFor({ screen: 'own-money', view })).toBe('show')
    expect(placeFor({ screen: 'own-money', view: null })).toBe('doesnt-exist')
  })

  it('has the giver’s own words where there are any, and goes on without them', () => {
    const told = { ...unused, message: { words: 'Para ti' } }
    expect(placeFor({ screen: 'message', view: told })).toBe('show')
    expect(placeFor({ screen: 'message', view: { ...told, message: null } })).toBe('introduction-2')
    expect(placeFor({ screen: 'message', view: preview })).toBe('introduction-2')
    expect(placeFor({ screen: 'message', view: { ...told, consumed: true } })).toBe('consumed')
  })

  it('is consumed itself for a used card, also on a reload and for an unknown word', () => {
    expect(placeFor({ screen: 'consumed', view: used })).toBe('show')
    expect(placeFor({ screen: 'elsewhere', view: used })).toBe('consumed')
  })

  it('is never thanks for whoever holds the key of a used card: its giver does as well', () => {
    expect(placeFor({ screen: 'thanks', view: used })).toBe('consumed')
  })

  it('is the choice that is missing when thanks is asked for before anything was given', () => {
    expect(placeFor({ screen: 'thanks', view: unused })).toBe('select-ngo')
  })

  it.each(['consumed', 'doesnt-exist', 'elsewhere', '', 'toString', 'introduction-0'])(
    'is the introduction where a card is not %j',
    screen => {
      expect(placeFor({ screen, view: unused })).toBe('introduction')
      expect(placeFor({ screen, view: preview })).toBe('introduction')
    },
  )

  it('is thanks in a preview, and a preview is never used up', () => {
    expect(placeFor({ screen: 'thanks', view: preview })).toBe('show')
    expect(placeFor({ screen: 'select-ngo', view: { ...preview, consumed: true } })).toBe('show')
  })

  it('is doesnt-exist where no card answers', () => {
    expect(placeFor({ screen: 'doesnt-exist', view: undefined })).toBe('show')
    expect(placeFor({ screen: 'introduction', view: null })).toBe('doesnt-exist')
    expect(placeFor({ screen: 'thanks', view: null })).toBe('doesnt-exist')
  })

  it('is found after one redirect at most', () => {
    const view = fc.option(
      fc.record({
        authority: fc.constantFrom('full' as const, 'preview' as const),
        consumed: fc.boolean(),
      }),
    )
    const screens = fc.oneof(fc.constantFrom(...RECEIVER_SCREENS), fc.string())
    fc.assert(
      fc.property(screens, view, (screen, view) => {
        const place = placeFor({ screen, view })
        if (place !== 'show') expect(placeFor({ screen: place, view })).toBe('show')
      }),
    )
  })
})
