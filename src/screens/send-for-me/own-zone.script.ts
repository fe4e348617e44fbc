/** Chooses the visitor's own time zone in the form, where they have not chosen one before. It can be chosen by hand too. */
const field = document.querySelector<HTMLSelectElement>('#zone[data-offered]')
const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
if (field && own) {
  if (![...field.options].some(({ value }) => value === own)) field.add(new Option(own))
  field.value = own
}
