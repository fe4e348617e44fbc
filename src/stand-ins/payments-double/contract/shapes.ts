/**
 * The form in which the generated contract describes one request parameter. Everything travels form-encoded,
 * so an "empty" value is the empty string (how the SDK writes null).
 */
export type Shape = (
  | { readonly kind: 'string' | 'number' | 'boolean' | 'dictionary' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'array'; readonly of: Shape }
  | { readonly kind: 'object'; readonly fields: Fields }
  | { readonly kind: 'either'; readonly of: readonly Shape[] }
) & {
  /** The empty string is accepted and means "unset". */
  readonly empty?: true
  readonly required?: true
}

export type Fields = Readonly<Record<string, Shape>>

/** What the generator writes: the parameters of each endpoint and the keys each answer always has. */
export interface Contract {
  readonly apiVersion: string
  readonly sdkVersion: string
  readonly requests: Readonly<Record<string, Fields>>
  /** `nullable` keys are filled with null when nothing else is known. */
  readonly responses: Readonly<
    Record<string, { readonly given: readonly string[]; readonly nullable: readonly string[] }>
  >
}
