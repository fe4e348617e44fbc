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

interface Refused {
  readonly code: string
  readonly fields?: readonly FieldProblem[] | undefined
}

/** Was the key of a press refused: used for something else, or paid with? */
export const isKeyRefused = ({ fields = [] }: Pick<Refused, 'fields'>): boolean =>
  fields.some(({ path }) => path === 'Idempotency-Key')

/** Is the key of a press of no more use: refused, or of a payment that nobody knows? The next press has another one. */
export const isKeyUsedUp = (refused: Refused): boolean =>
  isKeyRefused(refused) || refused.code === 'payment-not-found'
