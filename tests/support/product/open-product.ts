import { afterAll } from 'vitest'
import { type Product, startProduct } from './product.ts'
import { openTestEnvironment, type TestEnvironment } from './test-environment.ts'

/**
 * A server of a test file's own on a new SQLite database, gone after the file's last test.
 * @param settings beside those of its environment
 */
export async function openProduct(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly environment: TestEnvironment; readonly product: Product }> {
  const environment = await openTestEnvironment('sqlite')
  afterAll(() => environment.close())
  const product = await startProduct({ env: { ...environment.env, ...settings } })
  afterAll(() => product.kill())
  return { environment, product }
}
