/** What the share page and its panel do beyond their links: the device's own share sheet, and copying the link. */

/** Shows the controls of `root` that this browser can serve. */
export function showShareControls(root: ParentNode): void {
  for (const control of root.querySelectorAll<HTMLElement>('[data-native-share]'))
    control.hidden = typeof navigator.share !== 'function'
}

document.addEventListener('click', ({ target }) => {
  const control = (target as Element).closest<HTMLElement>('[data-action][data-shared-url]')
  if (!control) return
  const { action, sharedUrl: url = '', sharedText: text = '' } = control.dataset
  // A sheet closed without sending is no failure.
  if (action === 'share-native') navigator.share({ text, url }).catch(() => {})
  if (action === 'copy-link') void copy(url, control)
})

async function copy(url: string, { dataset, parentElement }: HTMLElement): Promise<void> {
  const said = parentElement?.querySelector('[role="status"]')
  if (!said) return
  // Emptied first, so that a second copy is announced too.
  said.textContent = ''
  const worked = await (navigator.clipboard?.writeText(url) ?? Promise.reject()).then(
    () => true,
    () => false,
  )
  said.textContent = (worked ? dataset.copied : dataset.copyFailed) ?? ''
}
