import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Disk } from '#stand-ins/local-lake/disk.ts'
import { createLake, type Lake } from '#stand-ins/local-lake/index.ts'
import { startChild } from '#tests/support/child.ts'
import { act, ask, clientOf, listen, mutate, openLake, SEED, temporaryFolder } from './support.ts'

const set = (n: number) => mutate(lakeInUse(), { createOrReplace: { _id: 'a', _type: 'note', n } })

let inUse: Lake | undefined
function lakeInUse(): Lake {
  if (!inUse) throw new Error('no lake is open')
  return inUse
}

async function opened(options: Parameters<typeof openLake>[0]): Promise<Lake> {
  inUse = await openLake(options)
  return inUse
}

const logOf = (dir: string) => join(dir, 'transactions.ndjson')

describe('what the lake has acknowledged', () => {
  it('is there after a restart, with its history', async () => {
    const dir = await temporaryFolder()
    const first = await opened({ dir, seedFiles: [SEED] })
    await set(1)
    await act(first, {
      actionType: 'sanity.action.document.edit',
      draftId: 'drafts.a',
      publishedId: 'a',
      patch: { set: { text: 'Médicos 🎁' } },
    })
    const all = (lake: Lake) => clientOf(lake).fetch('*', {}, { perspective: 'raw' })
    const history = async (lake: Lake) =>
      (await ask(lake, '/vX/data/history/production/transactions/a,drafts.a?effectFormat=mendoza')).text()
    const before = [await all(first), await history(first)]
    await first.close()

    const second = await opened({ dir, seedFiles: [SEED] })
    expect([await all(second), await history(second)]).toEqual(before)
  })

  it('is told after a restart to a listener that was connected before it', async () => {
    const dir = await temporaryFolder()
    const first = await opened({ dir })
    const stream = await listen(first, { query: '*' })
    await stream.next()
    await set(1)
    const last = await stream.next()
    await set(2)
    await first.close()

    const second = await opened({ dir })
    const back = await listen(second, { query: '*', enableResume: 'true', includeResult: 'true' }, last.id)
    expect((await back.next()).event).toBe('welcomeback')
    expect((await back.next()).data.result.n).toBe(2)
  })

  it('survives kill −9 in the middle of writing, whole transactions only', async () => {
    const dir = await temporaryFolder()
    let acknowledged = 0
    for (let round = 0; round < 6; round++) {
      const child = startChild('../stand-ins/local-lake/writer.ts')
      child.send(dir)
      const wanted = acknowledged + 5 + round * 7
      while (acknowledged < wanted) acknowledged = Number(await child.nextLine())
      await child.kill()
      for (let line = await child.nextLine(); line; line = await child.nextLine()) acknowledged = Number(line)

      const lake = await createLake({ dir, openMode: true })
      const [left, right] = ['left', 'right'].map(id => lake.store.documents.get(id))
      await lake.close()
      expect(left?.n).toBeGreaterThanOrEqual(acknowledged)
      // At most the one that was on its way when the process ended.
      expect(left?.n).toBeLessThanOrEqual(acknowledged + 1)
      expect(right).toMatchObject({ n: left?.n, _rev: left?._rev })
      acknowledged = left?.n as number
    }
  })

  it.each([
    ['half a line', '{"id":"torn","changes":[{"id":"a"'],
    ['a line whose bytes never arrived', `${'\0'.repeat(40)}\n`],
  ])('is not spoilt by %s at the end of the log', async (_, litter) => {
    const dir = await temporaryFolder()
    const first = await opened({ dir })
    await set(1)
    await first.close()
    await fs.appendFile(logOf(dir), litter)

    const second = await opened({ dir })
    expect(second.store.documents.get('a')?.n).toBe(1)
    await set(2)
    await second.close()
    const third = await opened({ dir })
    expect(third.store.documents.get('a')?.n).toBe(2)
    expect(await fs.readFile(logOf(dir), 'utf8')).not.toContain('torn')
  })

  it('is not guessed at when the log is damaged in its middle: the lake says where', async () => {
    const dir = await temporaryFolder()
    const lake = await opened({ dir })
    await set(1)
    await set(2)
    await lake.close()
    const [first = '', second = ''] = (await fs.readFile(logOf(dir), 'utf8')).split('\n')
    await fs.writeFile(logOf(dir), `${first}\nbroken\n${second}\n`)
    await expect(createLake({ dir })).rejects.toThrow('transactions.ndjson:2 cannot be read')
  })

  it('stays when the log is folded: the documents all, the history as far as it is kept', async () => {
    const dir = await temporaryFolder()
    const lake = await opened({ dir, seedFiles: [SEED], historyBytes: 15_000 })
    await mutate(lake, { delete: { id: 'page-who-we-are' } })
    for (let n = 0; n < 120; n++) await set(n)
    const before = await clientOf(lake).fetch('*')
    await lake.close()
    const kept = lake.store.entries().length
    expect(kept).toBeGreaterThan(10)
    expect(kept).toBeLessThan(100)
    const documents = JSON.stringify([...lake.store.documents.values()]).length
    expect((await fs.stat(logOf(dir))).size).toBeLessThan(2 * documents + 2 * 15_000)

    const again = await opened({ dir, seedFiles: [SEED], historyBytes: 15_000 })
    expect(await clientOf(again).fetch('*')).toEqual(before)
    expect(again.store.entries()).toHaveLength(kept)
    const [oldest] = again.store.entries()
    const asked = `/vX/data/history/production/documents/a?revision=${oldest?.id}`
    expect((await (await ask(again, asked)).json()).documents).toMatchObject([{ _id: 'a', _rev: oldest?.id }])
  })
})

/** A disk that runs full when told to: half of what is written still fits. */
function fullDisk() {
  let full = false
  const noRoom = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const disk: Disk = {
    ...fs,
    async open(...asked) {
      const handle = await fs.open(...asked)
      const append = handle.appendFile.bind(handle)
      const write = handle.writeFile.bind(handle)
      handle.appendFile = async data => {
        if (!full) return append(data)
        await append((data as Buffer).subarray(0, 20))
        throw noRoom()
      }
      handle.writeFile = async data => {
        if (full) throw noRoom()
        return write(data)
      }
      return handle
    },
  }
  return {
    disk,
    fill: (now: boolean) => {
      full = now
    },
  }
}

describe('a full disk', () => {
  it('refuses the change in words for the operator, goes on answering, and takes changes again later', async () => {
    const dir = await temporaryFolder()
    const { disk, fill } = fullDisk()
    const lake = await opened({ dir, disk })
    await set(1)
    const heard: string[] = []
    lake.onTransaction(({ record }) => heard.push(record.id))
    fill(true)
    const refused = await set(2)
    expect(refused.status).toBe(507)
    expect((await refused.json()).error).toMatchObject({
      type: 'mutationError',
      description: expect.stringContaining('The disk is full: nothing was changed. Make room and try again.'),
    })
    expect(await clientOf(lake).fetch('*[0].n')).toBe(1)
    expect(heard).toEqual([])

    fill(false)
    expect((await set(3)).status).toBe(200)
    await lake.close()
    const again = await opened({ dir })
    expect(again.store.documents.get('a')?.n).toBe(3)
    expect(again.store.entries()).toHaveLength(2)
  })

  it('refuses an upload, and leaves no half of it', async () => {
    const dir = await temporaryFolder()
    const { disk, fill } = fullDisk()
    const lake = await opened({ dir, disk })
    fill(true)
    const upload = await ask(lake, '/vX/assets/files/production?filename=a.txt', {
      method: 'POST',
      body: 'abc',
    })
    expect(upload.status).toBe(507)
    expect(lake.store.documents.size).toBe(0)
    expect(await fs.readdir(join(dir, 'files'))).toEqual([])
  })
})

describe('a folder that cannot be written', () => {
  const inWords =
    /^The folder of the content, .*, cannot be written: .+ Let this user write there, or name another/

  it('is named at start, with what to do, when it lies below a file', async () => {
    const file = join(await temporaryFolder(), 'a-file')
    await fs.writeFile(file, '')
    await expect(createLake({ dir: join(file, 'content') })).rejects.toThrow(inWords)
    await expect(createLake({ dir: file })).rejects.toThrow(inWords)
  })

  it('is named at start, with what to do, when its disk is read-only', async () => {
    const dir = await temporaryFolder()
    const mkdir = async () => {
      throw Object.assign(new Error(`EROFS: read-only file system, mkdir '${dir}'`), { code: 'EROFS' })
    }
    await expect(createLake({ dir, disk: { ...fs, mkdir } })).rejects.toThrow(inWords)
  })

  it('is named at start, with what to do, when it is there and takes no new file', async () => {
    const dir = await temporaryFolder()
    await fs.mkdir(join(dir, 'writer.lock'))
    await expect(createLake({ dir })).rejects.toThrow(inWords)
  })
})

describe('two processes on one folder', () => {
  it('are one that writes, and one that follows and takes over', async () => {
    const dir = await temporaryFolder()
    const writer = await openLake({ dir, seedFiles: [SEED] })
    const follower = await opened({ dir, seedFiles: [SEED] })
    await mutate(writer, { create: { _id: 'a', _type: 'note', n: 1 } })
    expect(await clientOf(follower).fetch('*[_id == "a"][0].n')).toBe(1)
    const refused = await set(2)
    expect(refused.status).toBe(503)

    await writer.close()
    expect((await set(3)).status).toBe(200)
    expect(follower.store.documents.get('a')?.n).toBe(3)
  })

  it('go on as one when the writer is killed', async () => {
    const dir = await temporaryFolder()
    const child = startChild('../stand-ins/local-lake/writer.ts')
    child.send(dir)
    await child.nextLine()
    const follower = await opened({ dir })
    expect((await set(1)).status).toBe(503)
    await child.nextLine()
    expect(await clientOf(follower).fetch('*[_id == "left"][0].n')).toBeGreaterThan(1)
    await child.kill()
    expect((await set(1)).status).toBe(200)
    const { left, right } = await clientOf(follower).fetch(
      '{"left": *[_id == "left"][0].n, "right": *[_id == "right"][0].n}',
    )
    expect(left).toBe(right)
  })
})
