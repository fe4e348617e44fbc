/** What checks all of the public ledger in the browser, as a file of its own: fetched once somebody presses. */
import type { Verifier } from '#domain/public-ledger/note.ts'
import { type Sums, verifyLog } from '#domain/public-ledger/verify.ts'
import type { Cosignature } from '#domain/public-ledger/witness.ts'
import { type Asked, type Checked, filesOf, told } from './reading.ts'

/** @param onLine called with the number of lines that are checked */
export function checkAll(
  asked: Asked,
  onLine: (lines: number) => void,
): Promise<
  Checked<{
    readonly size: number
    readonly sums: Sums
    /** Witnesses that have signed the same head. */
    readonly cosignatures: readonly Cosignature[]
    /** Where the log goes on after a backup: from which line, from 1, and how many had been published. */
    readonly restored: readonly { readonly line: number; readonly lost: number }[]
  }>
> {
  return told(asked, async () => {
    const { checkpoint, stated, sums } = await verifyLog({
      ...filesOf(asked),
      onLeaf: (_, index) => onLine(index + 1),
    })
    const restored = stated.flatMap(({ index, statement: [, , , , size] }) =>
      size === undefined ? [] : [{ line: index + 1, lost: size }],
    )
    return { size: checkpoint.size, sums, cosignatures: checkpoint.cosignatures, restored }
  })
}

/** The key that signs now, by all lines. */
export const keyNow = (asked: Asked): Promise<Checked<Verifier>> =>
  told(asked, async () => (await verifyLog(filesOf(asked))).key)
