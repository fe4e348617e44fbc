import { expect, it } from 'vitest'
import { holdThroughLogin } from '../../../studio/src/local/session.ts'

const HOST = 'http://localhost:4321'
const ACT = `${HOST}/v2025-02-19/data/actions/production`

/** A site whose session is over, until somebody logs in. */
function expiredSite() {
  const sent: string[] = []
  let isIn = false
  let asked = 0
  let loggedOut = 0
  let letIn = () => {}
  const fetch = holdThroughLogin({
    fetch: async (address, init) => {
      sent.push(`${new URL(address).pathname} ${init?.body ?? ''}`)
      return new Response(null, { status: isIn || String(address).endsWith('/logout') ? 204 : 401 })
    },
    askToLogIn() {
      asked++
      return new Promise(resolve => {
        letIn = () => {
          isIn = true
          resolve()
        }
      })
    },
    onLoggedOut: () => loggedOut++,
  })
  return { fetch, sent, logIn: () => letIn(), asked: () => asked, loggedOut: () => loggedOut }
}

const soon = () => new Promise(resolve => setImmediate(resolve))

it('sends what was refused once more after a login, and asks for one login only', async () => {
  const { fetch, sent, logIn, asked } = expiredSite()
  const answers = Promise.all([fetch(ACT, { body: 'one' }), fetch(ACT, { body: 'two' })])
  await soon()
  expect([sent.length, asked()]).toEqual([2, 1])
  logIn()
  expect((await answers).map(({ status }) => status)).toEqual([204, 204])
  expect(sent.slice(2)).toEqual(sent.slice(0, 2))
})

it('asks for no second login because of a refusal that comes in late', async () => {
  let answerLate = (_: Response) => {}
  let calls = 0
  let asked = 0
  const fetch = holdThroughLogin({
    fetch: address => {
      if (String(address).endsWith('late') && calls++ === 0)
        return new Promise(resolve => {
          answerLate = resolve
        })
      return Promise.resolve(new Response(null, { status: asked === 0 ? 401 : 204 }))
    },
    askToLogIn: async () => void asked++,
    onLoggedOut: () => {},
  })
  const late = fetch(`${HOST}/late`)
  await fetch(ACT)
  answerLate(new Response(null, { status: 401 }))
  expect([(await late).status, asked]).toEqual([204, 1])
})

it('asks again when the next session is over too', async () => {
  let isIn = true
  let asked = 0
  const fetch = holdThroughLogin({
    fetch: async () => new Response(null, { status: isIn ? 204 : 401 }),
    askToLogIn: async () => {
      asked++
      isIn = true
    },
    onLoggedOut: () => {},
  })
  for (let sessions = 0; sessions < 3; sessions++) {
    isIn = false
    await fetch(ACT)
  }
  expect(asked).toBe(3)
})

it('lets go of a request that nobody waits for any more', async () => {
  const { fetch, sent, logIn } = expiredSite()
  const going = new AbortController()
  const answer = fetch(ACT, { signal: going.signal })
  await soon()
  going.abort(new Error('too late'))
  await expect(answer).rejects.toThrow('too late')
  logIn()
  await soon()
  expect(sent).toHaveLength(1)
})

it('hands on the refusal that tells the Studio that nobody is logged in', async () => {
  const { fetch, asked } = expiredSite()
  const who = await fetch(`${HOST}/v2026-05-04/users/me?tag=x`)
  expect([who.status, asked()]).toEqual([401, 0])
})

it('leaves once when the operator logs out, and asks for no login then', async () => {
  const { fetch, asked, loggedOut } = expiredSite()
  await fetch(`${HOST}/v2026-05-04/auth/logout`, { method: 'POST' })
  await fetch(`${HOST}/v2026-05-04/auth/logout`, { method: 'POST' })
  expect((await fetch(ACT)).status).toBe(401)
  expect([asked(), loggedOut()]).toEqual([0, 1])
})
