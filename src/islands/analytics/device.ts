/** What a browser says of itself, after "accept all" only: its screen, its languages, and the campaign it came by. */
export function deviceAttrs(): Record<string, unknown> {
  const { connection } = navigator as { connection?: { readonly effectiveType?: string } }
  return {
    width: innerWidth,
    height: innerHeight,
    pixelRatio: devicePixelRatio,
    touch: navigator.maxTouchPoints,
    languages: navigator.languages.slice(0, 5),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(connection?.effectiveType && { connection: connection.effectiveType }),
    ...campaign(),
  }
}

/** What is known of the visitor's entry: what waits in the tab for an answer that was given just now is the newest. */
function campaign(): { readonly campaign?: string; readonly referred?: true } {
  try {
    const facts = { ...read(localStorage, 'gift:visitor'), ...read(sessionStorage, 'gift:entry') }
    const code = facts.campaign?.code
    return { ...(code && { campaign: code }), ...(facts.referred && { referred: true }) }
  } catch {
    return {}
  }
}

interface Facts {
  readonly campaign?: { readonly code?: string }
  readonly referred?: true
}

const read = (storage: Storage, key: string): Facts => JSON.parse(storage.getItem(key) ?? '{}') as Facts
