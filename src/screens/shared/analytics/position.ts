import type { Tracker } from '#screens/shared/analytics/tracker.ts'

/** One decimal of a degree is about eleven kilometres. */
const coarse = (degrees: number): number => Math.round(degrees * 10) / 10

/**
 * choose-theme's quiet button: asks the browser where the visitor is, roughly, when it is pressed and never before
 * (product.md#privacy).
 */
export function offerPosition(track: Tracker['track']): void {
  const offer = document.querySelector<HTMLElement>('[data-position]')
  const button = offer?.querySelector('button')
  if (!offer || !button || !('geolocation' in navigator)) return
  offer.hidden = false
  button.addEventListener('click', () => {
    const say = (text: string | undefined): void => {
      const said = offer.querySelector('[role="status"]')
      if (said) said.textContent = text ?? ''
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        track('position', { latitude: coarse(coords.latitude), longitude: coarse(coords.longitude) })
        button.hidden = true
        say(offer.dataset.thanks)
      },
      () => say(offer.dataset.refused),
    )
  })
}
