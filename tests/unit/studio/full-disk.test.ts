import { expect, it } from 'vitest'
import { holdThroughFullDisk, waitUnlessAborted } from '../../../studio/src/local/full-disk.ts'

const HOST = 'http://localhost:4321/v2025-02-19'
const ACT = `${HOST}/data/actions/production?tag=x`
const UPLOAD = `${HOST}/assets/images/production`

/** A site whose disk is full for so many tries, and what it answers to the next. */
function fullSite(tries: number, then = 200) {
  const said: string[] = []
  const fetch = holdThroughFullDisk({
    fetch: async (_, init) => {
      said.push(String(init?.body ?? 'asked'))
      return new Response(null, { status: tries-- > 0 ? 507 : then })
    },
    tell() {
      said.push('full')
      return () => void said.push('room')
    },
    wait: async () => {},
  })
  return { fetch, said }
}

it('sends a change until it is kept, and tells of the full disk once meanwhile', async () => {
  const { fetch, said } = fullSite(2)
  expect((await fetch(ACT, { body: 'typed' })).status).toBe(200)
  expect(said).toEqual(['typed', 'full', 'typed', 'typed', 'room'])
})

it('refuses a file at once, and says so until a change is kept', async () => {
  const { fetch, said } = fullSite(1)
  expect((await fetch(UPLOAD, { body: 'picture' })).status).toBe(507)
  await fetch(`${HOST}/data/query/production?query=1`)
  expect(said).toEqual(['picture', 'full', 'asked'])
  await fetch(ACT, { body: 'typed' })
  expect(said.at(-1)).toBe('room')
})

it('says no longer that the disk is full once a change is refused for another reason', async () => {
  const { fetch, said } = fullSite(1, 409)
  expect((await fetch(ACT, { body: 'typed' })).status).toBe(409)
  expect(said).toEqual(['typed', 'full', 'typed', 'room'])
})

it('says so as long as the site cannot tell', async () => {
  const { fetch, said } = fullSite(1, 503)
  expect((await fetch(ACT, { body: 'typed' })).status).toBe(503)
  expect(said).toEqual(['typed', 'full', 'typed'])
})

it('waits no longer for a change that was given up', async () => {
  const leaving = new AbortController()
  const waiting = waitUnlessAborted(60_000, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  await expect(waitUnlessAborted(60_000, leaving.signal)).rejects.toThrow('left')
})
