import type { Lake, LakeOptions } from '#stand-ins/local-lake/index.ts'
import { createLake as create } from '../../../src/stand-ins/local-lake/index.ts'
import { reaching, trueNow } from './faulty-services.ts'

/** The local lake as a service elsewhere: with a disk and a clock of its own, and a network in between. */
export async function createLake(options: LakeOptions): Promise<Lake> {
  const lake = await create({ ...options, dir: process.env.CONTENT_DIR ?? options.dir, clock: trueNow })
  return { ...lake, fetchInside: request => reaching('content', request, () => lake.fetchInside(request)) }
}
