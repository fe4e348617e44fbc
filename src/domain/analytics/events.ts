import { masked } from './masked.ts'

const EVENT_NAME = /^[a-z][a-z0-9-]{0,47}$/

/** Bounds of what an event may carry. */
export const METADATA_LIMITS = { depth: 4, values: 100, textLength: 500, keyLength: 60 } as const

/** May an event be called so? A short word that is nobody's key. */
export function isEventName(text: string): boolean {
  return EVENT_NAME.test(text) && masked(text) === text
}

/**
 * How many uses of its limit an event takes: one for each kilobyte begun of what was sent, so that large events, which
 * cost more to read and to keep, are fewer.
 */
export function costOfEvent(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024))
}

export type Metadata = Readonly<Record<string, unknown>>

/** Plain data of bounded depth, number and length; everything else is refused whole. */
export function isBoundedMetadata(value: unknown): value is Metadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  let values = 0
  const fits = (part: unknown, depth: number): boolean => {
    if (++values > METADATA_LIMITS.values || depth > METADATA_LIMITS.depth) return false
    if (typeof part === 'string') return part.length <= METADATA_LIMITS.textLength
    if (typeof part !== 'object' || part === null) return true
    return Object.entries(part).every(
      ([key, each]) => key.length <= METADATA_LIMITS.keyLength && fits(each, depth + 1),
    )
  }
  return fits(value, 0)
}

/** What kind of device a visitor uses, as coarse as statistics need it. */
export const DEVICE_CLASSES = ['phone', 'tablet', 'desktop', 'robot', 'other'] as const

export type DeviceClass = (typeof DEVICE_CLASSES)[number]

/** The class of a browser by what it calls itself. */
export function deviceClassOf(userAgent: string): DeviceClass {
  const agent = userAgent.toLowerCase()
  if (/bot|crawl|spider|preview|headless|facebookexternalhit|whatsapp\//.test(agent)) return 'robot'
  // An Android telephone says that it is mobile; an Android tablet does not.
  const isAndroidTablet = agent.includes('android') && !agent.includes('mobile')
  if (isAndroidTablet || /ipad|tablet/.test(agent)) return 'tablet'
  if (/mobi|iphone|android/.test(agent)) return 'phone'
  return /windows|macintosh|linux|cros/.test(agent) ? 'desktop' : 'other'
}

/** The screens that statistics look at one after the other, on a buyer's way to a card. */
export const FUNNEL_ROUTES = [
  '/',
  '/intro/cookies-settings',
  '/intro',
  '/intro/choose-theme',
  '/intro/choose',
  '/intro/gift-card-design-donation',
  '/intro/how-it-works-donation',
  '/intro/ngo-list',
  '/intro/packages-donation',
  '/intro/free-gift-card-campaign',
  '/intro/donation-sender-name',
  '/intro/donation-packages-support-amount',
  '/intro/donation-prepayment',
  '/intro/no-refresh/donation-success',
] as const
