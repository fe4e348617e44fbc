import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRY_CARD_ID } from '#domain/card/keys.ts'
import { cardPath, localizedPath, PUBLISHED_PAGES, volunteeringCardPath } from '#paths'
import { buyThroughApi, inviteThroughApi, redeemThroughApi } from '#tests/support/e2e/api.ts'
import { call } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

/** The island's own part with all that it uses, and React. */
const MOST_FILES_OF_AN_ISLAND = 2
/** Fetched once a gift is shown, to send its code with it. */
const ONCE_A_GIFT_IS_SHOWN = /^qr-encode\./
/** What only React's own code says. */
const OF_REACT = 'react.dev/errors/'

/** A screen's page, and every script of ours that it can come to fetch: name and text. */
interface Screen {
  readonly path: string
  readonly page: string
  readonly hasIsland: boolean
  readonly files: ReadonlyMap<string, string>
}

let environment: TestEnvironment
let product: Product
let plain: readonly Screen[]
let withIsland: readonly Screen[]

beforeAll(async () => {
  environment = await openTestEnvironment('sqlite')
  product = await startProduct({ env: environment.env })
  const { key } = await inviteThroughApi({ ...product, dataDir: environment.dataDir, logFile: '' })
  const { privateKey, publicKey } = await buyThroughApi({
    ...product,
    dataDir: environment.dataDir,
    logFile: '',
  })
  const used = await buyThroughApi({ ...product, dataDir: environment.dataDir, logFile: '' })
  await redeemThroughApi({ ...product, dataDir: environment.dataDir, logFile: '' }, used.privateKey, {
    'ngo-msf': 20,
    'ngo-cerf': 30,
  })
  const paths = [
    ...PUBLISHED_PAGES.map(({ path }) => localizedPath('es', path)),
    ...['introduction-1', 'select-ngo'].map(screen => cardPath(TRY_CARD_ID, screen)),
    ...['introduction-1', 'introduction-4', 'select-ngo'].map(screen => cardPath(privateKey, screen)),
    cardPath(publicKey, 'thanks', 'preview'),
    cardPath(used.privateKey, 'consumed'),
    ...['introduction', 'introduction-8', 'introduction-10'].map(screen => volunteeringCardPath(key, screen)),
  ]
  const screens = await Promise.all(paths.map(screenAt))
  plain = screens.filter(({ hasIsland }) => !hasIsland)
  withIsland = screens.filter(({ hasIsland }) => hasIsland)
})
afterAll(async () => {
  await product?.kill()
  await environment?.close()
})

async function screenAt(path: string): Promise<Screen> {
  const { status, text: page } = await call(product.url + path)
  expect(status, path).toBe(200)
  const files = new Map<string, string>()
  const follow = async (text: string): Promise<void> => {
    for (const [, name = ''] of text.matchAll(/["'`](?:\/_astro|\.)\/([\w.-]+\.js)["'`]/g)) {
      if (files.has(name)) continue
      files.set(name, await script(name))
      await follow(files.get(name)!)
    }
  }
  await follow(page)
  return { path, page, hasIsland: page.includes('<astro-island'), files }
}

const scripts = new Map<string, ReturnType<typeof call>>()
async function script(name: string): Promise<string> {
  const asked = scripts.get(name) ?? call(`${product.url}/_astro/${name}`)
  scripts.set(name, asked)
  const { status, text } = await asked
  expect(status, name).toBe(200)
  return text
}

const holdsReact = ({ files }: Screen): boolean => [...files.values()].some(text => text.includes(OF_REACT))

describe('the scripts of a screen', () => {
  it('never lead to React where there is no island, whatever is fetched later', () => {
    expect(plain.length).toBeGreaterThan(30)
    expect(plain.filter(holdsReact).map(({ path }) => path)).toEqual([])
  })

  it('bring React to an island in few files', () => {
    expect(withIsland.length).toBeGreaterThan(8)
    // What every screen may fetch later, of which most visitors never need any: panels, statistics.
    const later = new Set(plain.flatMap(({ files }) => [...files.keys()]))
    for (const screen of withIsland) {
      expect(holdsReact(screen), screen.path).toBe(true)
      const own = [...screen.files.keys()].filter(
        name => !later.has(name) && !ONCE_A_GIFT_IS_SHOWN.test(name),
      )
      expect(own.length, `${screen.path} ${own}`).toBeLessThanOrEqual(MOST_FILES_OF_AN_ISLAND)
    }
  })
})

describe('a screen', () => {
  it('says to its island only values that our starter reads', () => {
    for (const { path, page } of withIsland) {
      const [, props = ''] = /\sprops="([^"]*)"/.exec(page) ?? []
      expect(props.length, path).toBeGreaterThan(2)
      const said: unknown = JSON.parse(
        props.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&#38;', '&'),
      )
      const kinds = new Set<unknown>()
      const look = ([kind, value]: readonly [unknown, unknown]): void => {
        kinds.add(kind)
        if (typeof value === 'object' && value !== null)
          for (const part of Object.values(value)) look(part as readonly [unknown, unknown])
      }
      look([0, said])
      expect(
        [...kinds].filter(kind => kind !== 0 && kind !== 1),
        path,
      ).toEqual([])
    }
  })
})
