import { describe, expect, it } from 'vitest'
import { deviceClassOf, isBoundedMetadata, isEventName } from '#domain/analytics/events.ts'
import { routeOf } from '#domain/analytics/route.ts'

const KEY = 'abcdefghijklmnopqrstuvwxyz234567'

describe('the route of an address', () => {
  it.each([
    ['/es/intro/ngo-list', { route: '/intro/ngo-list', language: 'es' }],
    ['/intro/no-refresh/checkout?session_id=cs_test_1', { route: '/intro/no-refresh/checkout' }],
    ['/fr', { route: '/', language: 'fr' }],
    ['/AdGirlEs1', { route: '/' }],
    ['/en/somebody', { route: '/', language: 'en' }],
    [`/gift-card/${KEY}/select-ngo/final`, { route: '/gift-card/{key}/select-ngo/final' }],
    [`/gift-card/${KEY.toUpperCase()}#x`, { route: '/gift-card/{key}' }],
    [`/gift-card/x/${KEY}/final`, { route: '/gift-card/{key}' }],
    [`/gift-card-volunteering/${KEY}/introduction`, { route: '/gift-card-volunteering/{key}/introduction' }],
    [`/g/ukraine/es#${KEY}`, { route: '/g' }],
    [`/g/${KEY}`, { route: '/g' }],
    ['/fr/withdraw', { route: '/withdraw', language: 'fr' }],
    [`/withdraw/01k9zy0000000000000000000a/${KEY}`, { route: '/' }],
    [`/intro/${KEY}`, { route: '/' }],
    ['/intro/ana@example.org', { route: '/' }],
    ['/intro/Ana', { route: '/' }],
    ['/intro/a/b/c/d', { route: '/' }],
    [`https://cards.example/gift-card/${KEY}`, { route: '/' }],
    ['', { route: '/' }],
  ])('of %s holds nothing of the visitor', (address, route) => {
    expect(routeOf(address)).toEqual(route)
  })
})

describe('an event', () => {
  it('is called by a short plain word that is no key', () => {
    expect(isEventName('screen-view')).toBe(true)
    for (const name of ['', 'Screen', 'a b', '../x', 'a'.repeat(49), KEY, '1st', 'a/b', 'ana@x.org'])
      expect(isEventName(name)).toBe(false)
  })

  it('carries plain data of bounded size and depth', () => {
    expect(isBoundedMetadata({})).toBe(true)
    expect(isBoundedMetadata({ a: { b: { c: [1, 'two', null, true] } } })).toBe(true)
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { x: deep(levels - 1) })
    expect(isBoundedMetadata(deep(4))).toBe(true)
    expect(isBoundedMetadata(deep(5))).toBe(false)
    expect(isBoundedMetadata(deep(5_000))).toBe(false)
    expect(isBoundedMetadata({ list: Array(98).fill(0) })).toBe(true)
    expect(isBoundedMetadata({ list: Array(100).fill(0) })).toBe(false)
    expect(isBoundedMetadata({ text: 'x'.repeat(501) })).toBe(false)
    expect(isBoundedMetadata({ ['x'.repeat(61)]: 1 })).toBe(false)
    for (const other of [null, [], 'text', 1, undefined]) expect(isBoundedMetadata(other)).toBe(false)
  })
})

describe('the class of a device', () => {
  it.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Safari/604.1', 'phone'],
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0 Mobile Safari/537.36', 'phone'],
    ['Mozilla/5.0 (Linux; Android 14; SM-X910) Chrome/126.0 Safari/537.36', 'tablet'],
    ['Mozilla/5.0 (iPad; CPU OS 17_0) Safari', 'tablet'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0', 'desktop'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1)', 'robot'],
    ['', 'other'],
  ])('of %s is %s', (agent, expected) => {
    expect(deviceClassOf(agent)).toBe(expected)
  })
})
