import { describe, expect, it } from 'vitest'
import { PUBLISHED_PAGES } from '#paths'
import { type Route, routeOf } from '#server/http/router/routes.ts'
import { NOT_OURS } from '#tests/support/languages.ts'

const pages = new Map(PUBLISHED_PAGES.map(page => [page.path, page]))

/** A route in one line: `published /who-we-are fr`, `redirect /`, `receiver /gift-card/k`. */
function told(route: Route): string {
  if (route.kind === 'published')
    return ['published', route.page.path, route.language].filter(Boolean).join(' ')
  if (route.kind === 'redirect') return `redirect ${route.to}`
  return route.kind === 'receiver' ? `receiver ${route.path}` : route.kind
}

const mounts: readonly (readonly [string, readonly (readonly [path: string, expected: string])[]])[] = [
  [
    'published pages',
    [
      ['/', 'published /'],
      ['/es', 'published / es'],
      ['/fr/intro/ngo-list', 'published /intro/ngo-list fr'],
      ['/intro/ngo-list', 'published /intro/ngo-list'],
      ['/intro/ngo%2Dlist', 'published /intro/ngo-list'],
      ['/intro/no-refresh/checkout', 'published /intro/no-refresh/checkout'],
    ],
  ],
  [
    'withdrawals: the form, and the page behind a key',
    [
      ['/withdraw', 'published /withdraw'],
      ['/fr/withdraw', 'published /withdraw fr'],
      ['/withdraw/', 'redirect /withdraw'],
      ['/withdraw/order/key', 'operator'],
      ['/withdraw/order', 'redirect /'],
      ['/withdraw/order/key/more', 'redirect /'],
      ['/es/withdraw/order/key', 'redirect /es'],
    ],
  ],
  [
    'unknown single segments, which are ad codes',
    [
      ['/summer-2026', 'published /'],
      ['/fr/summer-2026', 'published / fr'],
      [`/${NOT_OURS[0]}`, 'published /'],
      ['/%C3%A9t%C3%A9', 'published /'],
      ['/gift-card', 'published /'],
      ['/__proto__', 'published /'],
      ['/constructor', 'published /'],
    ],
  ],
  [
    'slashes at the end',
    [
      ['/es/', 'redirect /es'],
      ['/intro/ngo-list/', 'redirect /intro/ngo-list'],
      ['/fr/who-we-are/', 'redirect /fr/who-we-are'],
      ['/gift-card/abc/introduction/', 'redirect /gift-card/abc/introduction'],
    ],
  ],
  [
    'unknown pages',
    [
      ['/foo/bar', 'redirect /'],
      ['/es/foo/bar', 'redirect /es'],
      ['/fr/intro/xyz', 'redirect /fr'],
      [`/${NOT_OURS[0]}/intro`, 'redirect /'],
      ['/es/gift-card/abc/introduction', 'redirect /es'],
      ['/intro/no-refresh/nothing', 'redirect /'],
    ],
  ],
  [
    'receiver pages, every wrong key alike',
    [
      ['/gift-card/abc/introduction-4/preview', 'receiver /gift-card/abc/introduction-4/preview'],
      ['/gift-card-volunteering/abc', 'receiver /gift-card-volunteering/abc'],
      ['/gift-card/%61bc/introduction', 'receiver /gift-card/-/introduction'],
      ['/gift-card/a.b/introduction', 'receiver /gift-card/-/introduction'],
      ['/gift-card/%00/introduction', 'receiver /gift-card/-/introduction'],
      ['/gift-card/%zz/introduction', 'receiver /gift-card/-/introduction'],
      [`/gift-card/${'a'.repeat(500)}/thanks`, 'receiver /gift-card/-/thanks'],
      ['/gift-card/a..b/introduction', 'receiver /gift-card/-/introduction'],
      ['/gift-card/abc/in%20troduction', 'receiver /gift-card/abc'],
    ],
  ],
  [
    'calls',
    [
      ['/api/ajuda/anything', 'api'],
      ['/api', 'api'],
      ['/api/', 'missing'],
      ['/api/ajuda/%67iftcard', 'missing'],
      ['/%61pi/ajuda', 'missing'],
    ],
  ],
  [
    'paths that a URL parser reads as others',
    [
      ...['/api', '/gift-card', '/gift-card-volunteering/abc', '/es', '/intro', ''].flatMap(start =>
        [
          '..',
          '.',
          '%2e%2e',
          '%2E.',
          '.%2e',
          '%2e',
          '',
          '..%2f..',
          '%2f',
          '\\',
          '%5C',
          '..\\x',
          '#',
          '%23',
        ].map(segment => [`${start}/${segment}/internal/mail`, 'missing'] as const),
      ),
      ['/api/ajuda/..', 'missing'],
      ['/api/ajuda/.', 'missing'],
      ['/api/../es', 'missing'],
      ['/gift-card/abc/../../etc', 'missing'],
      ['/gift-card//evil.example/', 'missing'],
      ['//evil.example/', 'missing'],
      ['//evil.example//', 'missing'],
      ['/intro//ngo-list', 'missing'],
      ['/es//', 'missing'],
    ],
  ],
  [
    'files that are not there, hidden ones, and pages for the server itself',
    [
      ['/robots.txt', 'missing'],
      ['/_astro/x', 'missing'],
      ['/_image', 'missing'],
      ['/.env', 'missing'],
      ['/.git/config', 'missing'],
      ['/%2e%2e/%2e%2e/etc/passwd', 'missing'],
      ['/..\\..\\windows', 'missing'],
      ['/%00', 'missing'],
      ['/%', 'missing'],
      ['/internal/mail', 'missing'],
      ['/internal', 'missing'],
      ['/%69nternal/mail', 'missing'],
      ['*', 'missing'],
      ['http://evil.example/', 'missing'],
    ],
  ],
]

describe.each(mounts)('%s', (_what, rows) => {
  it.each(rows)('%s is %s', (path, expected) => {
    expect(told(routeOf(path, pages))).toBe(expected)
  })
})
