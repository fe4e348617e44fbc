import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase | undefined
afterEach(() => test?.close())

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a user who may not create a schema', () => {
  it('is told that the guards were not compared, and hears of nothing else', async () => {
    const database = await openTestDatabase()
    test = database
    // What the guards are is made once in a process; this one is to have made none.
    vi.resetModules()
    const { openDatabase } = await import('#server/platform/db/database.ts')
    const clerk = `clerk_${randomBytes(6).toString('hex')}`
    await database.plant(
      `create role ${clerk} login`,
      `grant all on schema public to ${clerk}`,
      `grant all on all tables in schema public to ${clerk}`,
    )
    const url = new URL(database.location.databaseUrl ?? '')
    url.username = clerk
    const db = await openDatabase({ ...database.location, databaseUrl: url.href })
    try {
      expect(await db.guardsAmiss()).toEqual([
        'not compared: the user of the database may not create a schema',
      ])
    } finally {
      await db.close()
      await database.plant(`drop owned by ${clerk}`, `drop role ${clerk}`)
    }
  })
})

describe.runIf(process.env.TEST_ENGINE === 'postgres')('the guards of PostgreSQL', () => {
  /** What is amiss for a connection that begins with these options. */
  const amissWith = async (database: TestDatabase, options = ''): Promise<readonly string[]> => {
    const url = new URL(database.location.databaseUrl ?? '')
    if (options !== '') url.searchParams.set('options', options)
    const db = await openDatabase({ ...database.location, databaseUrl: url.href })
    try {
      return await db.guardsAmiss()
    } finally {
      await db.close()
    }
  }

  it('are asleep where a connection begins so, whoever has set that', async () => {
    test = await openTestDatabase()
    expect(await amissWith(test, '-c session_replication_role=replica')).toEqual([
      'setting session_replication_role',
    ])
  })

  it('are read from the catalogue, whatever stands before it on the path', async () => {
    test = await openTestDatabase()
    const catalogues = ['namespace', 'class', 'constraint', 'index', 'trigger', 'proc', 'attrdef']
    await test.plant(
      ...catalogues.map(each => `create table public.pg_${each} (like pg_catalog.pg_${each})`),
      `create function public.pg_get_constraintdef(oid) returns text language sql as $$ select 'as it should be' $$`,
      `create function public.current_schema() returns name language sql as $$ select 'pg_catalog'::name $$`,
      `create function public.never(text, text) returns boolean language sql as $$ select false $$`,
      'create operator public.<> (leftarg = text, rightarg = text, function = public.never)',
      'drop trigger draws_no_change on draws',
    )
    expect(await amissWith(test, '-c search_path=public,pg_catalog')).toEqual([
      'trigger draws.draws_no_change',
    ])
  })

  it('are looked for at the product’s own tables, and not at those of a neighbour', async () => {
    test = await openTestDatabase()
    await test.plant(
      'create table neighbours (id int primary key, name text unique check (length(name) > 1))',
      'create table nearer () inherits (neighbours)',
      'create unique index on neighbours (lower(name))',
      `create function look() returns trigger language plpgsql as 'begin return new; end'`,
      'create trigger look before insert on neighbours for each row execute function look()',
      'create rule nothing as on delete to neighbours do instead nothing',
      'alter table neighbours enable row level security',
      'create policy ours on neighbours using (true)',
      'create index on cards (created_at)',
    )
    expect(await amissWith(test)).toEqual([])
  })

  it('may lack an index that only makes reading faster', async () => {
    test = await openTestDatabase()
    await test.plant('drop index orders_open')
    expect(await amissWith(test)).toEqual([])
    await test.plant('create index orders_open on orders (lower(id))')
    expect(await amissWith(test)).toEqual(['lookup index orders_open'])
  })
})
