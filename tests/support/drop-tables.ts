import type { TestDatabase } from './database.ts'

const DROP_FUNCTIONS = `do $$ declare each regprocedure; begin
  for each in select oid::regprocedure from pg_proc where pronamespace = current_schema()::regnamespace
  loop execute format('drop function %s cascade', each); end loop;
end $$`

/** With what PostgreSQL keeps beside the tables: each refusal of the database is a function there. */
export async function dropTables(
  test: TestDatabase,
  which: (table: string) => boolean = () => true,
): Promise<void> {
  const isPostgres = test.engine === 'postgres'
  const tables = (await test.tables()).filter(which)
  await test.plant(
    ...tables.map(table => `drop table ${table}${isPostgres ? ' cascade' : ''}`),
    ...(isPostgres ? [DROP_FUNCTIONS] : []),
  )
}
