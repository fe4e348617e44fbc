/**
 * Fetches a page of ours and the scripts it will run into the browser's cache, while the visitor reads on: the
 * first tap on Continue would otherwise wait for the view library. Not for visitors who save data.
 */
export async function prefetch(page: string): Promise<void> {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  if (connection?.saveData) return
  // What this page itself needs comes first, and its first paint, which the shell tells.
  if (document.readyState !== 'complete')
    await new Promise(painted => addEventListener('painted', painted, { once: true }))
  const seen = new Set<string>()
  const take = async (url: string): Promise<void> => {
    if (seen.has(url)) return
    seen.add(url)
    const answer = await fetch(url, { priority: 'low' })
    // Only what the page or script loads at once. An address alone may be fetched later, or never.
    const found = (await answer.text()).matchAll(
      /(?:from|import|src=|-url=)["'](?:\/_astro|\.)\/([\w.-]+\.js)["']/g,
    )
    await Promise.all([...found].map(([, script]) => take(`/_astro/${script}`)))
  }
  // Offline, the visit goes on without it.
  await take(page).catch(() => {})
}
