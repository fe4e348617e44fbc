import { cleanSenderName, readSender, type Sender } from '#domain/sender/sender-name.ts'
import { SENDER_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'

/** What stands on the sender-name screen: an option, once chosen, and the name, which stays when the option changes. */
export interface SenderChoice {
  readonly kind?: Sender['kind']
  readonly name: string
}

export const NO_SENDER: SenderChoice = { name: '' }

export const $sender = choice<SenderChoice>(SENDER_KEY, NO_SENDER, {
  read: text => {
    try {
      const { kind, name } = JSON.parse(text) as Record<string, unknown>
      const known = kind === 'anonymous' || kind === 'own' ? { kind } : {}
      return { ...known, name: typeof name === 'string' ? cleanSenderName(name) : '' } as SenderChoice
    } catch {
      return undefined
    }
  },
  write: choice => JSON.stringify(choice),
})

/** The sender chosen, or undefined while the choice is not complete. */
export function senderOf({ kind, name }: SenderChoice): Sender | undefined {
  return readSender(kind, name)
}
