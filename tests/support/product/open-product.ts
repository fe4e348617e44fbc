import { afterAll } from 'vitest'
import { openPremises, type Premises } from './premises.ts'
import { type Product, startProduct } from './product.ts'

/**
 * A server of a test file's own on a new SQLite database, gone after the file's last test.
 * @param settings beside those of its premises
 */
export async function openProduct(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly premises: Premises; readonly product: Product }> {
  const premises = await openPremises('sqlite')
  afterAll(() => premises.close())
  const product = await startProduct({ env: { ...premises.env, ...settings } })
  afterAll(() => product.kill())
  return { premises, product }
}
