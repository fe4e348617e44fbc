import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { count } from './tests/support/counts.ts'

/** One project per kind of test; the server's run twice, once on each database. */
const server = (engine: 'sqlite' | 'postgres') => ({
  test: {
    name: `server-${engine}`,
    include: ['tests/server/**/*.test.ts', 'tests/stories/**/*.test.ts'],
    env: { TEST_ENGINE: engine },
    globalSetup: engine === 'postgres' ? ['tests/support/postgres.setup.ts'] : [],
    testTimeout: count({ usual: 60_000, long: 3_600_000 }),
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    // Much of a server test is waiting for the database: both cores are worth having.
    maxWorkers: availableParallelism(),
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'architecture', include: ['tests/architecture/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'local', include: ['tests/local/**/*.test.ts'], testTimeout: 60_000 } },
      server('sqlite'),
      server('postgres'),
      {
        test: {
          name: 'product',
          include: ['tests/product/**/*.test.ts', 'tests/faults/**/*.test.ts'],
          globalSetup: ['tests/support/product/built.setup.ts', 'tests/support/postgres.setup.ts'],
          // Races and kills want both cores: one file, and in it one test, at a time.
          fileParallelism: false,
          testTimeout: count({ usual: 300_000, long: 3_600_000 }),
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
