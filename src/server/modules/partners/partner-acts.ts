import { randomBytes } from 'node:crypto'
import { type PartnerRefusal, type PartnerScope, partnerKeyMark } from '#domain/partner/partner.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import { isOneOf } from '#server/platform/db/same-address.ts'
import { isSandbox } from '#server/platform/db/sandbox.ts'
import type { Mac } from '#server/platform/mac.ts'
import { digestOfPartnerKey, sealOfPartner } from './partners.ts'

/** An act about partners that cannot be done. The message is for the terminal. */
export class PartnerRefused extends Error {
  readonly rule: PartnerRefusal
  constructor(rule: PartnerRefusal, message: string) {
    super(message)
    this.rule = rule
  }
}

/** A partner as it was just made: its key is shown once, and kept nowhere. */
export interface NewPartner {
  readonly partner: string
  readonly key: string
}

/** Makes a partner with its key. @param now epoch ms UTC */
export async function addPartner(
  trx: Writer,
  asked: { readonly name: string; readonly contact: string; readonly scopes: readonly PartnerScope[] },
  { mac, now }: { readonly mac: Mac; readonly now: number },
): Promise<NewPartner> {
  const key = partnerKeyMark(await isSandbox(trx)) + randomBytes(32).toString('base64url')
  const id = newId(now)
  const scopes = asked.scopes.join(' ')
  const keyDigest = digestOfPartnerKey(mac, key)
  await trx
    .insertInto('partners')
    .values({
      id,
      name: asked.name,
      contact: asked.contact,
      scopes,
      key_digest: keyDigest,
      seal: sealOfPartner(mac, { id, scopes, keyDigest }),
      created_at: now,
      used_day: null,
      revoked_at: null,
    })
    .execute()
  return { partner: id, key }
}

/** The partner's key opens nothing from now on. Its orders stay as they are. @throws PartnerRefused */
export async function revokePartner(trx: Writer, id: string, now: number): Promise<void> {
  const row = await trx
    .updateTable('partners')
    .set({ key_digest: null, contact: null, revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (row === undefined)
    throw new PartnerRefused(
      'no-such-partner',
      `No partner with a key is "${id}". \`partner list\` lists them.`,
    )
}

/** Takes an address off the partners that it is the contact of. @returns how many */
export async function forgetContact(trx: Writer, spellings: readonly string[]): Promise<number> {
  const rows = await trx
    .updateTable('partners')
    .set({ contact: null })
    .where(isOneOf('contact', spellings))
    .returning('id')
    .execute()
  return rows.length
}
