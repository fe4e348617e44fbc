import { createReadStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { exportDataset } from '@sanity/export'
import { sanityImport } from '@sanity/import'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { clientOf, mutate, openLake, temporaryFolder, WHOLE_SEED } from './support.ts'

/** Serves a lake over HTTP, as the official tools need it. @returns its origin */
async function served(lake: Lake): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const method = request.method ?? 'GET'
    const answer = await lake.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method,
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
        ...(method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) }),
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body && method !== 'HEAD') Readable.fromWeb(answer.body as never).pipe(response)
    else response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function reachable(options: Parameters<typeof openLake>[0] = {}) {
  let origin = ''
  const lake = await openLake({ ...options, origin: () => origin })
  origin = await served(lake)
  const client = clientOf(lake, { apiHost: origin, token: 'local', resolveFetch: undefined as never })
  return { lake, client }
}

/** All documents, without what belongs to the lake they are in. */
function contentOf(lake: Lake): unknown[] {
  return [...lake.store.documents.values()]
    .map(({ _rev, _updatedAt, ...document }) => document)
    .filter(({ _type }) => _type !== 'sanity.imageAsset' && _type !== 'sanity.fileAsset')
    .toSorted((one, other) => (one._id < other._id ? -1 : 1))
}

const picture = (background: string) =>
  sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .jpeg()
    .toBuffer()

describe('the official tools', () => {
  it('export a lake, and import it into an empty one that is then equal', async () => {
    const { lake, client } = await reachable({ seedFiles: [WHOLE_SEED] })
    const image = await client.assets.upload('image', await picture('#123456'), {
      filename: 'photo.jpg',
      creditLine: 'Somebody',
    })
    const file = await client.assets.upload('file', Buffer.from('a report'), { filename: 'report.txt' })
    const asset = (_ref: string) => ({ asset: { _type: 'reference', _ref } })
    await mutate(lake, {
      create: {
        _id: 'memorial-1',
        _type: 'memorialPhoto',
        image: { _type: 'image', ...asset(image._id), hotspot: { x: 0.2, y: 0.3 } },
        report: { _type: 'file', ...asset(file._id) },
      },
    })
    await mutate(lake, {
      create: { _id: 'drafts.settings', _type: 'settings', contactEmail: 'x@example.org' },
    })

    const archive = join(await temporaryFolder(), 'export.tar.gz')
    await exportDataset({ client, dataset: 'production', outputPath: archive, drafts: true } as never)

    const empty = await reachable()
    await sanityImport(createReadStream(archive), {
      client: empty.client,
      operation: 'create',
    } as never)

    expect(contentOf(empty.lake)).toEqual(contentOf(lake))
    expect(empty.lake.store.documents.get(image._id)).toMatchObject({
      originalFilename: 'photo.jpg',
      creditLine: 'Somebody',
    })
  }, 120_000)

  it('import a seed of the repository with its pictures, as the lake itself does', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'images'))
    await writeFile(join(folder, 'images/dove.jpg'), await picture('#abcdef'))
    const document = {
      _id: 'memorial-1',
      _createdAt: '2026-03-10T09:00:00Z',
      _type: 'memorialPhoto',
      image: { _type: 'image', _sanityAsset: 'image@file://./images/dove.jpg', hotspot: { x: 0.5, y: 0.5 } },
    }
    const seedFile = join(folder, 'data.ndjson')
    await writeFile(seedFile, `${JSON.stringify(document)}\n`)

    const seeded = await openLake({ seedFiles: [seedFile] })
    const imported = await reachable()
    await sanityImport(Readable.from([await readFile(seedFile)]), {
      client: imported.client,
      assetsBase: folder,
      operation: 'create',
    } as never)
    expect(contentOf(seeded)).toEqual(contentOf(imported.lake))
    expect(await clientOf(seeded).fetch('*[_id == "memorial-1"][0].image.asset->originalFilename')).toBe(
      'dove.jpg',
    )
  }, 120_000)
})
