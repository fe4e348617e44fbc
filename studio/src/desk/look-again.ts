import { createContext } from 'react'

/** Reads again what is shown, for a form that was refused because that is no longer so. */
export const LookAgain = createContext<() => void>(() => {})
