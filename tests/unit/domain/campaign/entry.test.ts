import { describe, expect, it } from 'vitest'
import { type Campaign, isCampaignCode, readCampaign } from '#domain/campaign/campaigns.ts'
import { ENTRY_RULES, type EntryVisitor, entryScreen, readEntry } from '#domain/campaign/entry.ts'
import { isShortSlides, mergeEntries } from '#domain/campaign/facts.ts'
import { SHARE_REFS } from '#domain/campaign/share.ts'
import { hasScreen } from '#paths'

const AD: Campaign = { kind: 'ad', code: 'AdGirlEs1', source: 'tiktok' }
const FREE: Campaign = { kind: 'free', code: 'regalo-1', source: 'instagram' }
const REDDIT: Campaign = { kind: 'free', code: 'reddit-gift-1', source: 'reddit' }
const RUNNING = [AD, FREE, REDDIT]

const read = (param: string, shareRef?: string | null) => readEntry({ param, shareRef }, RUNNING)

describe('an entry', () => {
  it.each([
    ['sondage', 'tiktok-fr'],
    ['poll', 'tiktok-usa'],
    ['encuesta', 'tiktok-sp'],
  ] as const)('%s prices by %s and marks a poll visitor', (param, strategy) => {
    expect(read(param)).toEqual({ developer: false, facts: { strategy, pollVisitor: true } })
  })

  it('developer sets the flag and nothing else', () => {
    expect(read('developer')).toEqual({ developer: true, facts: {} })
  })

  it('finds ad codes and free-campaign tags, in any case', () => {
    expect(read('AdGirlEs1').facts).toEqual({ campaign: AD })
    expect(read('adgirles1').facts).toEqual({ campaign: AD })
    expect(read('REGALO-1').facts).toEqual({ campaign: FREE })
  })

  it('says nothing where the word is unknown', () => {
    for (const param of ['', 'adgirl', 'constructor', '__proto__', 'toString', 'poll-2', '🎁', 'a/b', '%'])
      expect(read(param)).toEqual({ developer: false, facts: {} })
  })

  it('never takes a campaign called like one of its own words', () => {
    const poll = { kind: 'ad', code: 'poll', source: 'other' } as const
    expect(readEntry({ param: 'poll' }, [poll]).facts.campaign).toBeUndefined()
  })

  it('takes a share’s mark from the known set only', () => {
    for (const ref of SHARE_REFS) expect(read('', ref).facts).toEqual({ referred: true })
    for (const ref of [null, undefined, '', 'WHATSAPP-GROUP', 'me', 'toString'])
      expect(read('', ref).facts).toEqual({})
  })

  it('says several things at once', () => {
    expect(read('poll', SHARE_REFS[0]).facts).toEqual({
      strategy: 'tiktok-usa',
      pollVisitor: true,
      referred: true,
    })
  })
})

describe('a second entry', () => {
  it('keeps the strategy, takes the newest campaign, forgets nothing', () => {
    const first = { strategy: 'tiktok-fr', pollVisitor: true, campaign: AD } as const
    expect(mergeEntries(first, { strategy: 'tiktok-usa', referred: true })).toEqual({
      ...first,
      referred: true,
    })
    expect(mergeEntries(first, { campaign: FREE })).toEqual({ ...first, campaign: FREE })
    expect(mergeEntries({}, first)).toEqual(first)
  })
})

const visitor = (known: Partial<EntryVisitor> = {}): EntryVisitor => ({
  consentAnswered: true,
  poll1Completed: false,
  poll2Completed: false,
  ...known,
})

describe('the redirect order', () => {
  it('is the one decided', () => {
    expect(ENTRY_RULES.map(({ screen }) => screen)).toEqual([
      'cookies-settings',
      'poll-ngo',
      'poll-2-intro',
      'poll-2',
      'packages-donation',
      'intro',
    ])
  })

  it.each<[string, EntryVisitor, string]>([
    [
      'the cookie question comes before anything else',
      visitor({ consentAnswered: false, pollVisitor: true, campaign: AD }),
      'cookies-settings',
    ],
    ['a poll visitor gets the first poll', visitor({ pollVisitor: true, campaign: AD }), 'poll-ngo'],
    ['then the question of the second', visitor({ pollVisitor: true, poll1Completed: true }), 'poll-2-intro'],
    [
      'then the second, when chosen',
      visitor({ pollVisitor: true, poll1Completed: true, wantsPoll2: true }),
      'poll-2',
    ],
    ['a second poll once chosen is asked of anybody', visitor({ wantsPoll2: true }), 'poll-2'],
    [
      'no more polls once both are done',
      visitor({ pollVisitor: true, poll1Completed: true, wantsPoll2: true, poll2Completed: true }),
      'intro',
    ],
    [
      'no second poll for who declined it',
      visitor({ pollVisitor: true, poll1Completed: true, wantsPoll2: false }),
      'intro',
    ],
    ['an ad leads to the packages', visitor({ campaign: AD }), 'packages-donation'],
    ['so does a free campaign', visitor({ campaign: FREE }), 'packages-donation'],
    ['one on Reddit does not', visitor({ campaign: REDDIT }), 'intro'],
    ['everybody else begins at the splash', visitor({ referred: true }), 'intro'],
  ])('%s', (_, known, screen) => {
    expect(entryScreen(known)).toBe(screen)
  })

  it('leads to screens of the site alone', () => {
    expect(ENTRY_RULES.filter(({ screen }) => !hasScreen(screen))).toEqual([])
  })
})

describe('short slides', () => {
  it('are for receivers, referred visitors and campaigns', () => {
    expect(isShortSlides({}, false)).toBe(false)
    expect(isShortSlides({ pollVisitor: true, strategy: 'tiktok-fr' }, false)).toBe(false)
    expect(isShortSlides({}, true)).toBe(true)
    expect(isShortSlides({ referred: true }, false)).toBe(true)
    expect(isShortSlides({ campaign: REDDIT }, false)).toBe(true)
  })
})

describe('a campaign written down', () => {
  it('is read back', () => {
    for (const campaign of RUNNING)
      expect(readCampaign(JSON.parse(JSON.stringify(campaign)))).toEqual(campaign)
  })

  it('is none when somebody changed it', () => {
    for (const value of [
      null,
      'AdGirlEs1',
      {},
      { ...AD, kind: 'gift' },
      { ...AD, source: 'radio' },
      { ...AD, code: '<script>' },
      { ...AD, code: '' },
      { ...AD, code: 7 },
    ])
      expect(readCampaign(value)).toBeUndefined()
  })

  it('is called by one plain segment', () => {
    for (const code of ['AdGirlEs1', 'ad-1']) expect(isCampaignCode(code)).toBe(true)
    for (const code of ['a', '-ad', 'a/b', 'a b', 'año', `a${'b'.repeat(64)}`])
      expect(isCampaignCode(code)).toBe(false)
  })
})
