import { type HangingProxy, startHangingProxy } from '#tests/support/hanging-proxy.ts'
import { type BoughtCard, buyCard } from './buy.ts'
import { type Product, startProduct } from './product.ts'
import { openTestEnvironment, type TestEnvironment } from './test-environment.ts'

/** The product on a PostgreSQL whose line can be held up or cut, and a card that somebody has bought there. */
export interface HangingProduct {
  readonly environment: TestEnvironment
  readonly proxy: HangingProxy
  readonly product: Product
  readonly card: BoughtCard
  close(): Promise<void>
}

export async function openHangingProduct(): Promise<HangingProduct> {
  const environment = await openTestEnvironment('postgres')
  const proxy = await startHangingProxy(environment.env.DATABASE_URL ?? '')
  const product = await startProduct({ env: { ...environment.env, DATABASE_URL: proxy.url } })
  return {
    environment,
    proxy,
    product,
    card: await buyCard(product),
    async close() {
      await product.kill()
      proxy.stop()
      await environment.close()
    },
  }
}
