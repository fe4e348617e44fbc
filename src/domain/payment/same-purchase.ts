/** Said beside what is bought: who gives, in which language, under which terms, with which words. */
const BESIDE = {
  donor: undefined,
  language: undefined,
  termsVersion: undefined,
  keepsChain: undefined,
  message: undefined,
  fallbackNgoId: undefined,
}

/**
 * What of a choice is the purchase. Whoever presses for the same purchase again presses with the same key, whatever else is
 * said with it (product.md#payment): paid, it is refused once.
 */
export const purchaseIn = <Choice extends object>(choice: Choice): Choice => ({ ...choice, ...BESIDE })
