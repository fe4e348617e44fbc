import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { count } from './tests/support/counts.ts'

/** What is waited for may take its time on a busy machine: a limit only says how long a failure takes. */
const PATIENT = { expect: { poll: { timeout: 20_000 } } }

/** One project per kind of test; the server's run twice, once on each database. */
const server = (engine: 'sqlite' | 'postgres') => ({
  test: {
    ...PATIENT,
    name: `server-${engine}`,
    // They share a worker's modules, and on PostgreSQL its databases: no file may leave anything behind in them.
    isolate: false,
    include: ['tests/server/**/*.test.ts', 'tests/stories/**/*.test.ts'],
    env: { TEST_ENGINE: engine },
    globalSetup: [`tests/support/${engine}.setup.ts`],
    // Drills that end processes take a minute where much else runs beside them.
    testTimeout: count({ usual: 180_000, long: 3_600_000 }),
    hookTimeout: 60_000,
  },
})

/** What asks for no processor of its own: its races and kills end right however long they take. */
const SIDE_BY_SIDE = [
  'browser-files',
  'canary',
  'cdn',
  'desk',
  'guesses',
  'hosted-content',
  'local-content',
  'lost-answer',
  'many-page',
  'monitoring',
  'operator',
  'partner-orders',
  'point-in-time',
  'pooler',
  'preview',
  'provider-events',
  'public-api',
  'publish',
  'publish-parts',
  'random-requests',
  'reading',
  'refusals',
  'safe-links',
  'sandbox',
  'settings',
  'shared-caches',
  'stolen-folder',
  'upgrade',
  'weights',
  'worker',
]
  .map(name => `tests/product/${name}.test.ts`)
  .concat('tests/faults/every-route.test.ts', 'tests/faults/matrix.test.ts')

/** The whole product as a process of its own, on both databases where a test says so. */
const product = (
  name: string,
  files: { include: string[]; exclude?: string[]; fileParallelism?: boolean },
) => ({
  test: {
    ...PATIENT,
    name,
    ...files,
    globalSetup: ['tests/support/product/built.setup.ts', 'tests/support/postgres.setup.ts'],
    testTimeout: count({ usual: 300_000, long: 3_600_000 }),
    hookTimeout: 120_000,
  },
})

export default defineConfig({
  test: {
    // Much of a server test is waiting for the database: one more than there are processors keeps them all at work.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Its functions keep nothing and touch nothing, so that its files share their processes.
      {
        test: {
          ...PATIENT,
          name: 'unit-domain',
          include: ['tests/unit/domain/**/*.test.ts'],
          testTimeout: 60_000,
          isolate: false,
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          exclude: ['tests/unit/domain/**'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'architecture',
          include: ['tests/architecture/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'stand-ins',
          include: ['tests/stand-ins/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      server('sqlite'),
      server('postgres'),
      {
        test: {
          name: 'simulation',
          include: ['tests/simulation/**/*.test.ts'],
          hookTimeout: count({ usual: 900_000, long: 43_200_000 }),
        },
      },
      // Both cores take two of these at once; a file that is not named here is run alone.
      product('product-beside', { include: SIDE_BY_SIDE }),
      product('product-alone', {
        include: ['tests/product/**/*.test.ts', 'tests/faults/**/*.test.ts'],
        exclude: SIDE_BY_SIDE,
        // Races and kills want both cores, and so do measured times: one file, and in it one test, at a time.
        fileParallelism: false,
      }),
    ],
  },
})
