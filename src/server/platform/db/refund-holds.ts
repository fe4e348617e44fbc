import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** A refund that is under way holds its card for a reason of its own, which is none of the operator's. */
export async function createRefundHolds({ changeChecks }: MigrationTools): Promise<void> {
  await changeChecks('card_holds', [
    {
      from: "reason in ('dispute', 'operator', 'withdrawal', 'draw')",
      to: "reason in ('dispute', 'operator', 'refund', 'withdrawal', 'draw')",
    },
  ])
}
