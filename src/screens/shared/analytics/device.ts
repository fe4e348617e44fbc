import { entryFacts } from '#screens/shared/visitor/entry-facts.store.ts'

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

/** What is known of the visitor's entry. */
function campaign(): { readonly campaign?: string; readonly referred?: true } {
  const { campaign, referred } = entryFacts()
  return { ...(campaign && { campaign: campaign.code }), ...(referred && { referred }) }
}
