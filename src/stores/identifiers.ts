import { type ConsentChoice, forgottenBy } from '#domain/consent/consent.ts'

/** Deletes every stored identifier that a choice does not allow (decisions §11). */
export function deleteIdentifiers(choice: ConsentChoice): void {
  for (const open of [() => localStorage, () => sessionStorage])
    try {
      for (const key of forgottenBy(choice)) open().removeItem(key)
    } catch {
      // Blocked storage holds nothing.
    }
}
