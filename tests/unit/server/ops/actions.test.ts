import { expect, it } from 'vitest'
import { commandOf } from '#server/ops/actions.ts'
import { Refusal, type Tools } from '#server/ops/command.ts'

const tools = {} as Tools

class Meant extends Error {}

const actions = {
  list: async (_: Tools, args: readonly string[]) => ({ lines: [`list ${args}`], data: null, ok: true }),
  async refuse(): Promise<never> {
    throw new Meant('not now')
  },
  async fail(): Promise<never> {
    throw new Error('broken')
  },
}
const command = commandOf({ name: 'thing', usage: 'list | refuse', summary: '', actions, refusals: [Meant] })
const withDefault = commandOf({ name: 'thing', usage: 'list', summary: '', actions, byDefault: 'list' })

it('carries out the action that its first word names, with the words after it', async () => {
  expect((await command.run(tools, ['list', 'a', '--b'])).lines).toEqual(['list a,--b'])
})

it.each(['nothing', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'refuses "%s", which is no action, and says its usage',
  async word => {
    await expect(command.run(tools, [word])).rejects.toThrow(new Refusal('thing list | refuse'))
  },
)

it('takes the default action where no word is given, and refuses where there is none', async () => {
  expect((await withDefault.run(tools, [])).lines).toEqual(['list '])
  await expect(command.run(tools, [])).rejects.toThrow(Refusal)
})

it('turns a refusal of a module into its own, and passes other errors on', async () => {
  await expect(command.run(tools, ['refuse'])).rejects.toThrow(new Refusal('not now'))
  await expect(command.run(tools, ['fail'])).rejects.not.toBeInstanceOf(Refusal)
})
