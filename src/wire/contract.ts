import type { z } from 'zod'

/**
 * One call of the public HTTP contract (product.md#calls). `request` reads what came over the wire and gives the
 * product's own words; `response` takes the product's words and gives what goes over the wire. The wire's Catalan
 * and snake-case words appear in this room only.
 */
export interface Contract<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST'
  /**
   * The published path, with parameters in braces: `/api/ajuda/giftcard/{giftCardId}`. It holds no key, so it can be
   * logged.
   */
  readonly path: string
  readonly request: Request
  readonly response: Response
  /** The wire's names for the product's words in the paths of refused fields: `{ ngoId: 'ngoSelected' }`. */
  readonly fieldWords?: Readonly<Record<string, string>>
}

/** Names the parts of a contract and keeps their types. */
export function defineContract<Request extends z.ZodType, Response extends z.ZodType>(
  contract: Contract<Request, Response>,
): Contract<Request, Response> {
  return contract
}
