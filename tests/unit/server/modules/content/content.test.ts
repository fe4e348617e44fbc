import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perLanguage } from '#domain/languages.ts'
import { createContent } from '#server/modules/content/content.ts'
import { contentBench } from './content-fixture.ts'
import { changed } from './seed-documents.ts'

const renamed = changed('ngo-msf', ngo => Object.assign(ngo.title, { es: 'MSF' }))

/** What a first start says whose content service answers so. */
async function firstStart(answer: () => Promise<Response>): Promise<string> {
  const { dataDir } = await contentBench()
  const log = { info() {}, error() {} }
  const content = createContent({ source: { fetch: answer }, dataDir, log, clock: () => 0 })
  return content.load().then(
    () => 'started',
    (error: Error) => `${error.name}: ${error.message}`,
  )
}
const answering = (status: number, body: object) => async () => Response.json(body, { status })

describe('a first start without content', () => {
  it.each([
    [401, 'refuses to show local/production: SANITY_READ_TOKEN must be'],
    [404, 'knows no local/production: SANITY_PROJECT_ID and SANITY_DATASET must be'],
    [500, 'could not be fetched (it answers 500)'],
  ])('says in one sentence what an answer of %i means', async (status, words) => {
    const said = await firstStart(answering(status, { error: 'no' }))
    expect(said).toMatch(/^NoContent: /)
    expect(said).toContain(words)
    expect(said).not.toContain('\n')
  })

  it('says that nobody answers, with the system’s word for it', async () => {
    const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    const said = await firstStart(() => Promise.reject(new TypeError('fetch failed', { cause })))
    expect(said).toContain('could not be fetched (nobody answers: ENOTFOUND), and none is kept from before')
    expect(said).not.toContain('\n')
  })

  it('names the first fault of content that cannot be shown', async () => {
    const said = await firstStart(answering(200, { result: {}, ms: 1 }))
    expect(said).toMatch(
      /^NoContent: The content of local\/production cannot be shown: .+Mend it in the Studio/,
    )
    expect(said).not.toContain('\n')
  })
})

describe('content', () => {
  it('says so when it is asked before it was loaded', async () => {
    const { content } = await contentBench()
    expect(() => content.snapshot()).toThrow(/before it was loaded/)
  })

  it.each(['notAsked', 'asked', 'declined', undefined])(
    'lists no organisation whose consent is %s, and lists it again once it is given',
    async state => {
      const { content, publish } = await contentBench()
      await publish(changed('ngo-msf', ngo => Object.assign(ngo, { consent: state && { state } })))
      await content.load()
      expect(content.listedNgoIds()).toHaveLength(6)
      expect(content.listedNgoIds()).not.toContain('ngo-msf')
      // Its name stays: cards were given to it.
      expect(content.snapshot().knownNgos.map(({ id }) => id)).toContain('ngo-msf')
      await publish(changed('ngo-msf', () => undefined))
      await content.refresh()
      expect(content.listedNgoIds()).toContain('ngo-msf')
    },
  )

  it('gives the ids that a card may be given to', async () => {
    const { content } = await contentBench()
    await content.load()
    expect(content.listedNgoIds()).toEqual(content.snapshot().ngoList.ngos.map(ngo => ngo.id))
  })

  it('keeps each part that a change has not touched as the same object', async () => {
    const { content, publish } = await contentBench()
    await content.load()
    const before = content.snapshot()
    await publish(renamed)
    expect(await content.refresh()).toBe(true)
    const { ngoList, knownNgos, releasedAt: _, ...others } = content.snapshot()
    expect(ngoList).not.toBe(before.ngoList)
    expect(knownNgos).not.toBe(before.knownNgos)
    for (const [name, part] of Object.entries(others)) expect(part, name).toBe(Reflect.get(before, name))
  })

  it('tells whether a refresh changed something, and dates the release by the change', async () => {
    const bench = await contentBench()
    await bench.content.load()
    expect(bench.content.snapshot().releasedAt).toBe(1_000)

    bench.setTime(2_000)
    await expect(bench.content.refresh()).resolves.toBe(false)
    expect(bench.content.snapshot().releasedAt).toBe(1_000)

    await bench.publish(renamed)
    await expect(bench.content.refresh()).resolves.toBe(true)
    expect(bench.content.snapshot()).toMatchObject({
      releasedAt: 2_000,
      ngoList: { ngos: [{ title: { es: 'MSF' } }, {}, {}, {}, {}, {}, {}] },
    })
  })

  it('lets refreshes made at the same time wait for each other', async () => {
    const bench = await contentBench()
    await bench.content.load()
    await bench.publish(renamed)
    const answers = await Promise.all([bench.content.refresh(), bench.content.refresh()])
    expect(answers).toEqual([true, false])
  })

  it('never asks twice at once, so that an older answer cannot overtake a newer one', async () => {
    const bench = await contentBench()
    let underway = 0
    let most = 0
    const content = createContent({
      source: {
        async fetch(request) {
          most = Math.max(most, ++underway)
          const answer = await bench.lakeFetch(request)
          underway--
          return answer
        },
      },
      dataDir: bench.dataDir,
      log: { info() {}, error() {} },
      clock: () => 1,
    })
    await content.load()
    await Promise.all([content.refresh(), content.refresh(), content.refresh()])
    expect(most).toBe(1)
  })

  it('takes the list of the newest year', async () => {
    const bench = await contentBench()
    await bench.publish({
      ...changed('ngoList-2026', list => list.ngos.splice(0, 5)),
      _id: 'ngoList-2027',
      year: 2027,
    })
    await bench.content.load()
    expect(bench.content.snapshot().ngoList.year).toBe(2027)
    expect(bench.content.listedNgoIds()).toEqual(['ngo-wfp', 'ngo-irc'])
    expect(bench.content.snapshot().knownNgos).toHaveLength(7)
  })

  it('sees no draft', async () => {
    const bench = await contentBench()
    await bench.publish(
      { ...changed('ngoList-2026', () => {}), _id: 'drafts.ngoList-2027', year: 2027 },
      { ...renamed, _id: 'drafts.ngo-msf' },
    )
    await bench.content.load()
    expect(bench.content.snapshot().ngoList).toMatchObject({
      year: 2026,
      ngos: [{ title: { es: 'Médicos Sin Fronteras' } }, {}, {}, {}, {}, {}, {}],
    })
  })

  it('keeps the name of an organisation that left every list', async () => {
    const bench = await contentBench()
    await bench.content.load()
    await bench.publish(changed('ngoList-2026', list => list.ngos.shift()))
    await bench.content.refresh()
    expect(bench.content.listedNgoIds()).not.toContain('ngo-msf')
    expect(bench.content.snapshot().knownNgos).toContainEqual(
      expect.objectContaining({
        id: 'ngo-msf',
        title: expect.objectContaining({ en: 'Doctors Without Borders (MSF)' }),
      }),
    )
  })

  it('needs only the Spanish name of an organisation that is history', async () => {
    const bench = await contentBench()
    await bench.publish(
      { _id: 'ngo-old', _type: 'ngo', title: { es: 'La de antes' } },
      { _id: 'ngoList-2025', _type: 'ngoList', year: 2025, ngos: [{ _type: 'reference', _ref: 'ngo-old' }] },
    )
    await bench.content.load()
    expect(bench.content.snapshot().knownNgos).toContainEqual({
      id: 'ngo-old',
      title: { ...perLanguage(() => ''), es: 'La de antes' },
      article: null,
    })
  })
})

describe('the CMS does not answer', () => {
  it.each(['refusal', 'no-network', 'nonsense'] as const)(
    'at a restart (%s): the last good content is served, with its own date',
    async mood => {
      const bench = await contentBench()
      await bench.content.load()
      bench.setTime(9_000)
      bench.answerWith(mood)

      const restarted = bench.restart()
      await restarted.load()
      expect(restarted.snapshot()).toEqual(bench.content.snapshot())
      expect(bench.errors.map(error => error.event)).toEqual(['content-last-good'])
    },
  )

  it('later: the content stays, and a publish made meanwhile arrives when it answers again', async () => {
    const bench = await contentBench()
    await bench.content.load()
    bench.answerWith('refusal')
    await bench.publish(renamed)
    await expect(bench.content.refresh()).resolves.toBe(false)
    bench.answerWith('content')
    await expect(bench.content.refresh()).resolves.toBe(true)
  })

  it('at the very first start: there is nothing to serve, and the start says so', async () => {
    const bench = await contentBench()
    bench.answerWith('refusal')
    await expect(bench.content.load()).rejects.toThrow()
  })

  it.each([
    ['torn', '{"source":"local/production","snap'],
    ['of another shape', '{"source":"local/production","snapshot":{"releasedAt":1}}'],
  ])('a stored file that is %s is not served', async (_, text) => {
    const bench = await contentBench()
    await writeFile(join(bench.dataDir, 'content-snapshot.json'), text)
    bench.answerWith('refusal')
    await expect(bench.content.load()).rejects.toThrow()
    expect(bench.errors.map(error => error.event)).toEqual(['content-stored-unreadable'])
  })

  it('content of another dataset is never served in its place', async () => {
    const bench = await contentBench()
    await bench.content.load()
    const file = join(bench.dataDir, 'content-snapshot.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('local/production', 'abc/production'))
    bench.answerWith('refusal')
    await expect(bench.restart().load()).rejects.toThrow()
  })
})

describe('the stored snapshot', () => {
  it('is replaced whole, and leaves no other file behind', async () => {
    const bench = await contentBench()
    await bench.content.load()
    await bench.publish(renamed)
    await bench.content.refresh()
    expect(await readdir(bench.dataDir)).toEqual(['content-snapshot.json'])
    const { snapshot } = JSON.parse(await readFile(join(bench.dataDir, 'content-snapshot.json'), 'utf8'))
    expect(snapshot).toEqual(bench.content.snapshot())
  })

  it('does not keep an edit from going live when it cannot be written', async () => {
    const bench = await contentBench()
    const file = join(bench.dataDir, 'a-file')
    await writeFile(file, '')
    const errors: string[] = []
    const content = createContent({
      source: { fetch: request => bench.lakeFetch(request) },
      dataDir: file,
      log: { info() {}, error: event => errors.push(event) },
      clock: () => 1,
    })
    await content.load()
    expect(content.snapshot().ngoList.year).toBe(2026)
    expect(errors).toContain('content-not-stored')
  })
})

describe('the last document of its kind', () => {
  const priced = changed('giftPackage-their-food', document => {
    document.spain = { ...document.spain, EUR: { amount: 25, support: 0 } }
  })
  const coloured = changed('theme-lebanon', document => Object.assign(document, { ink: '#063018' }))

  it.each([
    ['package', priced, { offer: { gifts: [], invitation: null } }, /last package is gone/],
    ['theme', coloured, { themes: [] }, /last theme is gone/],
  ])(
    'a %s that goes brings the product’s own ones back to no operator who had changed them',
    async (_, edit, gone, says) => {
      const { dataDir, lakeFetch, publish } = await contentBench()
      let lost: object = {}
      const fetch = async (request: Request) => {
        const answer = (await (await lakeFetch(request)).json()) as { result: object }
        return Response.json({ ...answer, result: { ...answer.result, ...lost } })
      }
      const errors: string[] = []
      const log = {
        info() {},
        error: (event: string, error: unknown) => void errors.push(`${event} ${error}`),
      }
      const roomOf = () => createContent({ source: { fetch }, dataDir, log, clock: () => 0 })
      const content = roomOf()
      await content.load()
      lost = gone
      // What was never changed is the same either way.
      await content.refresh()
      expect(errors).toEqual([])
      lost = {}
      await publish(edit)
      expect(await content.refresh()).toBe(true)
      const own = content.snapshot()

      lost = gone
      expect(await content.refresh()).toBe(false)
      expect(content.snapshot()).toBe(own)
      expect(errors.join()).toMatch(says)
      // Nor after a restart, or in the preview.
      const restarted = roomOf()
      await restarted.load()
      expect(restarted.snapshot()).toEqual(own)
      await expect(restarted.drafts()).rejects.toThrow(says)
    },
  )
})
