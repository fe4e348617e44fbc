/** What is said of a field, among the elements that describe it. */
const saidOf = (field: Element): Element[] =>
  (field.getAttribute('aria-describedby')?.split(' ') ?? []).flatMap(id => [
    ...document.querySelectorAll(`#${id}.error, #${id} .error`),
  ])

/** Takes back that a field is wrong, and what was said of it. */
function takeBack(field: Element): void {
  if (!field.matches('[aria-invalid="true"]')) return
  field.removeAttribute('aria-invalid')
  for (const said of saidOf(field)) said.replaceChildren()
}

/** Does a field say something else than when the page came? */
const isChanged = (field: Element): boolean =>
  field instanceof HTMLSelectElement
    ? [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
    : (field as HTMLInputElement).value !== (field as HTMLInputElement).defaultValue ||
      (field as HTMLInputElement).checked !== (field as HTMLInputElement).defaultChecked

/**
 * What the server found wrong with a field is said at it no longer than until it is mended. A list of all that is wrong
 * stays until the form is sent again: the page would jump under whoever writes. A form of an island marks by itself; it has
 * no method. Back in a page that the browser kept, what was mended before stands in the fields again.
 */
export function takeBackMended(): void {
  const look = (): void => {
    for (const field of document.querySelectorAll('[method="post"] [aria-invalid="true"]'))
      if (isChanged(field)) takeBack(field)
  }
  document.addEventListener('input', ({ target }) => {
    const field = target as Element
    if (field.closest('[method="post"]')) takeBack(field)
  })
  addEventListener('pageshow', look)
  look()
}
