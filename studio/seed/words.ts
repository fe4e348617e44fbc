import type { Language } from '../src/product.ts'

/** A text in every language of the product. */
export type Words = Readonly<Record<Language, string>>
