const WRONG = '[aria-invalid="true"], .error:not(:empty, [hidden]), .problems:not([hidden])'

/**
 * "Error: …" in the document's title while something on the page is wrong: it is what a tab shows, and what a screen
 * reader says first of a page that came back. The word comes from the page (layouts/Page.astro).
 * @returns stops watching
 */
export function watchErrors(): () => void {
  const { errorTitle: word = '' } = document.documentElement.dataset
  const show = (): void => {
    const plain = document.title.startsWith(word) ? document.title.slice(word.length) : document.title
    const title = document.querySelector(WRONG) ? word + plain : plain
    if (title !== document.title) document.title = title
  }
  const observer = new MutationObserver(show)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['aria-invalid', 'hidden'],
  })
  show()
  return () => observer.disconnect()
}
