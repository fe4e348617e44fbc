import type { Engine, Reader, Writer } from '#server/platform/db/engine.ts'
import { isTable } from '#server/platform/db/tables.ts'

/** Something that is no sandbox has a sandbox's database before it, or a sandbox has another one. */
export class OtherDatabase extends Error {
  override readonly name = 'OtherDatabase'

  /** @param sandbox whether it is a sandbox that asks */
  constructor(sandbox: boolean) {
    super(sandbox ? OF_NO_SANDBOX : OF_A_SANDBOX)
  }
}

/** Both stand between quotation marks of SQL too, so they hold none. */
const OF_NO_SANDBOX =
  'SANDBOX=yes, but this database belongs to no sandbox: a sandbox makes its own and takes no other. Name an empty DATA_DIR, or an empty database in DATABASE_URL.'
const OF_A_SANDBOX =
  'This database belongs to a sandbox: nothing in it is worth money. Set SANDBOX=yes to work with the sandbox, or name another DATA_DIR or DATABASE_URL.'

/** Is this the database of a sandbox (decision 129)? */
export async function isSandbox(db: Reader): Promise<boolean> {
  return (await db.selectFrom('sandbox').select('id').executeTakeFirst()) !== undefined
}

/** Says for ever that this database, which was just made, is of a sandbox. */
export async function markSandbox(trx: Writer): Promise<void> {
  await trx.insertInto('sandbox').values({ id: 1 }).execute()
}

/** @throws OtherDatabase where it is not what was asked for. An earlier version of the product made no sandboxes. */
export async function refuseOther(
  { name, reader }: Pick<Engine, 'name' | 'reader'>,
  sandbox: boolean,
): Promise<void> {
  const isOne = (await isTable(name, reader, 'sandbox')) && (await isSandbox(reader))
  if (isOne !== sandbox) throw new OtherDatabase(sandbox)
}

/** @throws OtherDatabase where there are tables already, whoever's: a sandbox begins with nothing */
export async function refuseOthersTables(trx: Writer): Promise<void> {
  const tables = await trx.introspection.getTables()
  if (tables.some(({ isView }) => !isView)) throw new OtherDatabase(true)
}

/**
 * Statements of PostgreSQL that fail where the database is not what was asked for.
 * @param sandbox whether a sandbox asks
 */
export const refusingOther = (sandbox: boolean): string => `do $$ declare is_one boolean := false; begin
  if to_regclass('public.sandbox') is not null then select exists (select 1 from public.sandbox) into is_one; end if;
  if is_one <> ${sandbox} then raise exception '${sandbox ? OF_NO_SANDBOX : OF_A_SANDBOX}'; end if;
end $$;`
