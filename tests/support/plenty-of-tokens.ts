import type { Tokens } from '#server/platform/pace/tokens.ts'

/** Whatever all visitors share never runs out. */
export const plentyOfTokens = (): Tokens => ({ take: async wanted => ({ granted: wanted, waitMs: 0 }) })
