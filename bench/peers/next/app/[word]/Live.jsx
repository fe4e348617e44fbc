'use client'

import { Screen } from '../../given/Screen.jsx'

/** The screen's words come from the server, its points live in the browser. */
export function Live({ screen }) {
  return <Screen screen={screen} />
}
