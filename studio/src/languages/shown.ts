import { LANGUAGES, type Language } from '../product.ts'

/** Which languages the operator is working on: one, or all of them below each other. */
export type Shown = Language | 'all'

/** A language's field of one localised value, as far as hiding it matters. */
export interface LanguageField {
  readonly name: string
  readonly hasProblem: boolean
  readonly isFocused: boolean
}

/**
 * Is this field shown? Those of other languages are put aside, unless something is wrong there (a problem that
 * cannot be seen cannot be mended) or the operator was led there.
 */
export function isShown({ name, hasProblem, isFocused }: LanguageField, shown: Shown): boolean {
  return shown === 'all' || name === shown || hasProblem || isFocused
}

export const isChoice = (value: unknown): value is Shown =>
  value === 'all' || (LANGUAGES as readonly unknown[]).includes(value)
