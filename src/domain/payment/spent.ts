import type { FieldProblem } from '#domain/problems.ts'

/**
 * Was it paid before, by the same press (product.md#payment)? Whoever says that nothing was charged would be wrong then.
 * @param refused of the payment, in any part of the product
 */
export const isSpent = ({
  fields = [],
}: {
  readonly fields?: readonly FieldProblem[] | undefined
}): boolean => fields.some(({ path, rule }) => path === 'Idempotency-Key' && rule === 'spent')
