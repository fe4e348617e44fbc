/** Leads from the entry to the first screen of the flow, leaving no entry to go back to. */
const next = document.querySelector<HTMLAnchorElement>('[data-screen="entry"] [data-action="continue"]')
if (next) location.replace(next.href)
