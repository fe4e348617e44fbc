import { startPostgres } from '#tests/support/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the temporary PostgreSQL's maintenance database; missing in the other projects. */
    postgresUrl: string
  }
}

/** One PostgreSQL for all files of a run; no test cuts the power. */
export default async function setup(project: {
  provide(key: 'postgresUrl', value: string): void
}): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres({ durable: false })
  project.provide('postgresUrl', url)
  return stop
}
