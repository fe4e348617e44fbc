import type { TextKey, Translate } from '#i18n/index.ts'

/** The placeholders that browsers fill in themselves: they pass through as they stand. */
const LATER = {
  address: '{{address}}',
  amount: '{{amount}}',
  name: '{{name}}',
  seconds: '{{seconds}}',
  share: '{{share}}',
}

/** The texts an island needs, by their keys, as plain strings. */
export function textsFor<Key extends TextKey>(t: Translate, keys: readonly Key[]): Record<Key, string> {
  return Object.fromEntries(keys.map(key => [key, t(key, LATER)])) as Record<Key, string>
}

/**
 * A sentence for each of these failures, by its code; always with the one for everything else. `under` begins the
 * keys of a place where the same failure means something else.
 */
export function problemTexts<Code extends string>(
  t: Translate,
  codes: readonly Code[],
  under: 'problem' | 'donation-success-problem' = 'problem',
): Record<Code | 'something-went-wrong', string> {
  return Object.fromEntries(
    [...codes, 'something-went-wrong'].map(code => [code, t(`${under}-${code}`)]),
  ) as Record<Code | 'something-went-wrong', string>
}
