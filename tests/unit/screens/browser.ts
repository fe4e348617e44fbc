import { vi } from 'vitest'

/** What a browser keeps for the site. */
export interface Browser {
  readonly persistentStorage: Map<string, string>
}

const storageOf = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, text: string) => void entries.set(key, text),
  removeItem: (key: string) => void entries.delete(key),
})

/**
 * A tab of a browser: from now on its page is the one that modules see. `load` imports them as a page would, anew;
 * `tell` sends the page an event. Another page of the same tab is opened with the same `session`.
 */
export function openTab({ persistentStorage }: Browser, session = new Map<string, string>()) {
  const listeners: [string, (event: object) => void][] = []
  const enter = (): void => {
    vi.stubGlobal('localStorage', storageOf(persistentStorage))
    vi.stubGlobal('sessionStorage', storageOf(session))
    vi.stubGlobal('window', {
      name: '',
      addEventListener: (type: string, listener: (event: object) => void) => listeners.push([type, listener]),
    })
  }
  return {
    session,
    load<T>(modules: () => Promise<T>): Promise<T> {
      enter()
      vi.resetModules()
      return modules()
    },
    tell(type: string, event: object): void {
      for (const [heard, listener] of listeners) if (heard === type) listener(event)
    },
  }
}
