import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/db/database.ts'
import { TEST_CARD_SECRET } from '#tests/builders/server.ts'
import { payThroughApi } from '#tests/support/e2e/api.ts'
import { freePort, startProduct } from '#tests/support/product/product.ts'
import { CHOSEN, roomOf, stockUp } from './stock.ts'

/** The product as it runs for real, except that the stand-ins may be there. */
export interface BenchSite {
  readonly url: string
  readonly pid: number
  /** How many cards its database holds. */
  readonly cards: number
  readonly keys: Keys
  stop(): Promise<void>
}

export interface Keys {
  /** Cards that nobody has used, by their private keys. */
  readonly active: readonly string[]
  /** A card whose credit is given away. */
  readonly consumed: string
  /** The public key of an active card. */
  readonly preview: string
}

const SOLD = 1_000

/**
 * Starts the product with production's settings on a fresh database with cards in it.
 * @param preload a module that the server's process loads before anything else, to plant a fault
 */
export async function startSite({ cards, preload }: { cards: number; preload?: string }): Promise<BenchSite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-site-'))
  try {
    const keys = await stock(dataDir, cards)
    const port = await freePort()
    const product = await startProduct({
      port,
      env: {
        NODE_ENV: 'production',
        LOCAL_SERVICES: 'allow',
        RATE_LIMITS: '',
        HOST: '127.0.0.1',
        SITE_URL: `http://127.0.0.1:${port}`,
        // The load comes from many visitors behind one proxy, so that the limits count and never end it.
        TRUSTED_PROXIES: '127.0.0.1',
        CARD_KEY_SECRET: TEST_CARD_SECRET,
        DATA_DIR: dataDir,
        ...(preload !== undefined && { NODE_OPTIONS: `--import ${preload}` }),
      },
    })
    const { url, pid } = product
    return {
      url,
      pid,
      cards: cards + SOLD,
      keys,
      async stop() {
        await product.kill()
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  }
}

async function stock(dataDir: string, fillers: number): Promise<Keys> {
  const [used, shown, ...rest] = await stockUp({ dataDir }, { fillers, sold: SOLD })
  const db = await openDatabase({ dataDir })
  await roomOf(db).redeem(used!.privateKey, CHOSEN)
  await db.close()
  return {
    active: rest.map(({ privateKey }) => privateKey),
    consumed: used!.privateKey,
    preview: shown!.publicKey,
  }
}

/** A payment that was made, for the page that the buyer comes back to. */
export async function paidSession(site: BenchSite): Promise<string> {
  const { sessionId } = await payThroughApi({ ...site, dataDir: '', logFile: '' })
  return sessionId
}
