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

function campaign(): { readonly campaign?: string; readonly referred?: true } {
  try {
    const facts = JSON.parse(localStorage.getItem('gift:visitor') ?? '{}') as {
      campaign?: { code?: string }
      referred?: true
    }
    const code = facts.campaign?.code
    return { ...(code && { campaign: code }), ...(facts.referred && { referred: true }) }
  } catch {
    return {}
  }
}
