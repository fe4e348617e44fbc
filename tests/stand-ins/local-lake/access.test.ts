import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { ask, ORIGIN, openLake, SEED } from './support.ts'

const QUERY = '/vX/data/query/production?query=count(*)'
const STUDIO = 'http://localhost:3333'
const OWNER = { id: 'u1', name: 'Owner', email: 'owner@example.org' }

let open: Lake
let guarded: Lake

beforeEach(async () => {
  open = await openLake({ seedFiles: [SEED], allowedOrigins: [STUDIO] })
  guarded = await openLake({
    seedFiles: [SEED],
    openMode: false,
    origin: () => 'https://cards.example',
    authenticate: request => (request.headers.get('cookie') === 'session=good' ? OWNER : null),
    loginUrl: () => 'https://cards.example/login',
    logout: async () => ({ 'set-cookie': 'session=; Max-Age=0' }),
  })
})

const asked = (lake: Lake, headers: Record<string, string>, path = QUERY, method = 'GET') =>
  lake.fetch(new Request(`http://localhost:4321${path}`, { method, headers }))

/** As a browser would ask the guarded lake under its own name. */
const askedByName = (headers: Record<string, string>, path = QUERY) =>
  guarded.fetch(new Request(`https://cards.example${path}`, { headers }))

describe('the doors of the lake', () => {
  it('are open to its own pages, to allowed ones, and to tools', async () => {
    for (const headers of [{}, { origin: ORIGIN }, { origin: 'http://127.0.0.1:4321' }, { origin: STUDIO }]) {
      expect((await asked(open, headers as Record<string, string>)).status).toBe(200)
    }
  })

  it.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of another port', { origin: 'http://localhost:9999' }],
    ['a page without an origin', { origin: 'null' }],
    ['a form or a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' }],
    ['a picture that is a question', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
    ['a script of a page at another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' }],
    ['a name that leads here but is not ours', { host: 'evil.example:4321' }],
    ['a name that is none', { host: 'a b' }],
  ])('are closed to %s, whatever it wants', async (_, headers) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await asked(open, headers as Record<string, string>, QUERY, method)
      expect(response.status).toBe(403)
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
      expect(await response.json()).toMatchObject({ statusCode: 403, error: 'Forbidden' })
    }
  })

  it('are open to pictures in pages of other sites, where a picture is kept and nowhere else', async () => {
    const image = `/images/local/production/${'0'.repeat(40)}-1x1.png`
    const shown = (path: string, dest: string, method = 'GET') =>
      asked(open, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': dest }, path, method)
    expect((await shown(image, 'image')).status).toBe(404)
    expect((await shown(image.replace('images', 'files'), 'image')).status).toBe(404)
    for (const dest of ['document', 'iframe', 'script', 'empty', 'serviceworker'])
      expect((await shown(image, dest)).status, dest).toBe(403)
    for (const path of [
      QUERY,
      '/vX/data/listen/production?query=*',
      '/vX/data/export/production',
      '/vX/users/me',
    ])
      expect((await shown(path, 'image')).status, path).toBe(403)
    expect((await shown(image, 'image', 'POST')).status).toBe(403)
  })

  it('are closed to other machines where nobody logs in', async () => {
    const from = (address: string) => open.fetch(new Request(`${ORIGIN}${QUERY}`), { address })
    expect((await from('192.168.1.7')).status).toBe(403)
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect((await from(address)).status).toBe(200)
  })

  it('let an allowed page read the answer, with its session', async () => {
    const preflight = await asked(
      open,
      { origin: STUDIO, 'access-control-request-headers': 'x-sanity-project-id' },
      QUERY,
      'OPTIONS',
    )
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': STUDIO,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'x-sanity-project-id',
      'access-control-allow-private-network': 'true',
      vary: 'Origin',
    })
  })

  it('open to a session only, where there is a login; pictures are for everybody', async () => {
    expect((await askedByName({})).status).toBe(401)
    expect((await askedByName({ cookie: 'session=expired' })).status).toBe(401)
    expect((await askedByName({ cookie: 'session=good' })).status).toBe(200)
    const picture = await askedByName({}, `/images/local/production/${'0'.repeat(40)}-1x1.png`)
    expect(picture.status).toBe(404)
  })

  it.each([
    ['GET', '/vX/data/doc/production/settings'],
    ['POST', '/vX/data/mutate/production'],
    ['POST', '/vX/data/actions/production'],
    ['GET', '/vX/data/listen/production?query=*'],
    ['GET', '/vX/data/live/events/production'],
    ['GET', '/vX/data/export/production'],
    ['GET', '/vX/data/history/production/transactions/settings'],
    ['GET', '/vX/data/history/production/documents/settings'],
    ['POST', '/vX/assets/images/production'],
    ['GET', '/vX/users/me'],
    ['GET', '/vX/users/me/keyvalue/a'],
    ['PUT', '/vX/users/me/keyvalue'],
  ])('need a session for %s %s', async (method, path) => {
    const response = await asked(guarded, {}, path, method)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ errorCode: 'SIO-401-ANF' })
  })

  it('write the author of a change into the history', async () => {
    await guarded.fetch(
      new Request('https://cards.example/vX/data/mutate/production', {
        method: 'POST',
        headers: { cookie: 'session=good' },
        body: JSON.stringify({ mutations: [{ create: { _type: 'note' } }] }),
      }),
    )
    expect(guarded.store.entries().at(-1)?.author).toBe('u1')
  })

  it('show the way to the login, and end the session on the way out', async () => {
    const providers = await askedByName({}, '/vX/auth/providers')
    expect((await providers.json()).providers).toMatchObject([{ url: 'https://cards.example/login' }])
    const bye = await asked(guarded, { cookie: 'session=good' }, '/vX/auth/logout', 'POST')
    expect(bye.status).toBe(204)
    expect(bye.headers.get('set-cookie')).toContain('Max-Age=0')
  })

  it('stand open within the process, where the site reads its content', async () => {
    const answer = await guarded.fetchInside(new Request(`http://lake.localhost${QUERY}`))
    expect((await answer.json()).result).toBeGreaterThan(5)
  })
})

describe('the addresses of the lake', () => {
  it('are told from those of the site', () => {
    for (const path of [
      '/vX/data/query/production',
      '/v2026-05-04/users/me',
      '/v1/ping',
      '/vX/anything',
      '/images/local/production/a-1x1.png',
      '/images/local/production/a-1x1.png/name.png',
      '/files/local/production/a.pdf',
      '/local/listen',
    ]) {
      expect([path, open.handlesPath(path)]).toEqual([path, true])
    }
    for (const path of [
      '/',
      '/es/intro/ngo-list',
      '/api/health',
      '/images/logo.png',
      '/images/other/production/a.png',
      '/v1/checkout/sessions',
      '/v1',
      '/volunteering',
      '/local',
      '/local/mail',
      '/studio',
    ]) {
      expect([path, open.handlesPath(path)]).toEqual([path, false])
    }
  })
})

describe('the account', () => {
  it.each([
    [
      '/vX/users/me',
      { id: 'operator', role: 'administrator', roles: [{ name: 'administrator' }], profileImage: '' },
    ],
    ['/vX/users/operator', { id: 'operator' }],
    ['/vX/users/operator,seed', [{ id: 'operator' }, { id: 'seed' }]],
    ['/vX/auth/id', { id: 'operator' }],
    ['/vX/auth/providers', { providers: [] }],
    [
      '/vX/projects/local',
      { id: 'local', organizationId: null, members: [{ id: 'operator' }], features: [] },
    ],
    ['/vX/projects/local/datasets', [{ name: 'production' }]],
    ['/vX/projects/local/datasets?datasetProfile=comments', []],
    ['/vX/projects/local/datasets/production/acl', [{ filter: '_id in path("**")' }]],
    ['/vX/projects/local/grants', {}],
    ['/vX/projects/local/user-applications', []],
    ['/vX/features', []],
    ['/vX/journey/trial/local', null],
    ['/vX/subscriptions/project/local', null],
    ['/vX/schedules/local/production', { schedules: [] }],
    ['/vX/intake/telemetry-status', { status: 'denied' }],
    ['/vX/help', { resources: { welcome: {}, sectionArray: [] } }],
    ['/vX/check/cors', { result: { allowed: true, withCredentials: true } }],
    ['/vX/data/references/production/documents/a/to', { totalCount: 0, references: [] }],
  ])('answers %s', async (path, answer) => {
    const response = await ask(open, path)
    expect(response.status).toBe(200)
    const given = await response.json()
    if (answer === null) expect(given).toBeNull()
    else expect(given).toMatchObject(answer)
  })

  it.each(['/vX/ping', '/vX/data/ping/production'])('answers %s with the shard’s name', async path => {
    expect((await ask(open, path)).headers.get('x-sanity-shard')).toBe('local')
  })

  it('remembers what the Studio wants to find again, also after a restart', async () => {
    const put = (pairs: unknown) =>
      ask(open, '/vX/users/me/keyvalue', { method: 'PUT', body: JSON.stringify(pairs) })
    await put([{ key: 'sort', value: { by: 'title' } }])
    await put([{ key: 'layout', value: 'list' }])
    expect(await (await ask(open, '/vX/users/me/keyvalue/sort,none,layout')).json()).toEqual([
      { key: 'sort', value: { by: 'title' } },
      null,
      { key: 'layout', value: 'list' },
    ])
    expect((await put('nonsense')).status).toBe(400)
  })
})
