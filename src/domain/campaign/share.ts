/** The ways to share the product, each with the mark that its link carries back to us (product.md#entry). */
export const SHARE_REFS = ['whatsapp-group', 'whatsapp-message', 'facebook-post', 'native', 'copy'] as const

export type ShareRef = (typeof SHARE_REFS)[number]

/** Does a `shareRef` come from one of our own share buttons? Only then it counts. */
export function isShareRef(value: unknown): value is ShareRef {
  return (SHARE_REFS as readonly unknown[]).includes(value)
}

/**
 * The address that a share button spreads.
 * @param home absolute URL of the entry in the sharer's language, without a query
 */
export function sharedUrl(home: string, ref: ShareRef): string {
  return `${home}?shareRef=${ref}`
}

/** Opens WhatsApp, which asks whom to send to: a person or a group alike. */
export function whatsAppUrl(text: string, url: string): string {
  return `https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}`
}

/** Opens WhatsApp with a text alone, without an address of ours. */
export function whatsAppText(text: string): string {
  return `https://wa.me/?text=${encodeURIComponent(text)}`
}

/** Opens a Facebook post. Facebook reads the page for its picture; the text is a suggestion that it may leave out. */
export function facebookUrl(text: string, url: string): string {
  return `https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(url)}&quote=${encodeURIComponent(text)}`
}
