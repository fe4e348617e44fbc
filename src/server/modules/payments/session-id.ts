/** What the provider's Checkout session ids look like, and what may follow them in an address bar. */
const SESSION_ID = /^cs_(?:test|live)_[A-Za-z0-9]{8,240}(?=["',\s]*$)/

/**
 * A Checkout session id as it came from an address bar, without surrounding spaces and a trailing quote and
 * comma (product.md#addresses); undefined when it cannot be one, so that the provider is not even asked.
 */
export function readSessionId(text: string): string | undefined {
  return SESSION_ID.exec(text.trim())?.[0]
}
