/** Fills the `{{placeholders}}` of a text that a page handed to the browser. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/{{(\w+)}}/g, (whole, name: string) => String(values[name] ?? whole))
}
