import { type Command, Refusal, type Report, type Tools } from './command.ts'

/** One action of a command, such as `payout run`: it gets the words and options after its name. */
type Action = (tools: Tools, args: readonly string[]) => Promise<Report>

/** The actions of a command by their names. */
export type Actions = Readonly<Record<string, Action>>

/** A command whose first word names an action. */
interface CommandOfActions extends Pick<Command, 'name' | 'usage' | 'summary'> {
  readonly actions: Actions
  /** The action where no word is given; without it, a word has to be given. */
  readonly byDefault?: string
  /** Errors of modules whose messages are meant for the operator. */
  readonly refusals?: readonly (abstract new (
    ...args: never[]
  ) => Error)[]
}

/**
 * Makes a command out of its actions.
 * @returns a command that throws a Refusal with its usage for an unknown action, and one for each of `refusals`
 */
export function commandOf({ actions, byDefault, refusals = [], ...command }: CommandOfActions): Command {
  return {
    ...command,
    actions: Object.keys(actions),
    async run(tools, args) {
      const [word = byDefault, ...rest] = args
      // `constructor` and `toString` are on every object, and are no actions.
      if (word === undefined || !Object.hasOwn(actions, word))
        throw new Refusal(`${command.name} ${command.usage}`)
      try {
        return await actions[word]!(tools, rest)
      } catch (error) {
        if (refusals.some(kind => error instanceof kind)) throw new Refusal((error as Error).message)
        throw error
      }
    },
  }
}
