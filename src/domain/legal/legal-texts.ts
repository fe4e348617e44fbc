/** The texts of the law (product.md#texts-of-the-law): which there are, and how a version is written. */

/** Each by the last part of its address. */
export const LEGAL_PAGES = ['legal-notice', 'terms', 'privacy'] as const

export type LegalPage = (typeof LEGAL_PAGES)[number]

/** Is this the name of a page with a text of the law? */
export const isLegalPage = (value: unknown): value is LegalPage =>
  (LEGAL_PAGES as readonly unknown[]).includes(value)

/** How a version is written: the beginning of a SHA-256 in hexadecimal digits. */
export const LEGAL_VERSION = /^[0-9a-f]{20}$/
