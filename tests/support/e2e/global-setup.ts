import { startSite } from './server.ts'

/** One product for all tests that can share it; its place reaches the workers through the environment. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { stop, ...site } = await startSite()
  process.env.E2E_SITE = JSON.stringify(site)
  return stop
}
