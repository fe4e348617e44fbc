import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A number as the world dials it, `+34600000000`; undefined for one without its country, or that nobody can have. */
export function phoneNumberOf(typed: string): string | undefined {
  const number = typed.startsWith('+') ? parsePhoneNumberFromString(typed) : undefined
  return number?.isValid() ? number.number : undefined
}
