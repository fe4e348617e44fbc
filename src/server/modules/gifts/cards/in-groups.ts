/**
 * Lets callers that come at about the same time share one piece of work: whoever comes while a group is being
 * worked on makes up the next one. A caller alone is served at once.
 * @param work gets a group in the order of arrival, and gives each its outcome in that order; when it throws, all
 *   of the group hear the same error
 */
export function inGroups<Item, Outcome>(
  most: number,
  work: (group: readonly Item[]) => Promise<readonly Outcome[]>,
): (item: Item) => Promise<Outcome> {
  const waiting: { item: Item; resolve: (outcome: Outcome) => void; reject: (error: unknown) => void }[] = []
  let isWorking = false

  async function goOn(): Promise<void> {
    isWorking = true
    while (waiting.length > 0) {
      // Requests that are being read at this moment come along.
      await new Promise(setImmediate)
      const group = waiting.splice(0, most)
      try {
        const outcomes = await work(group.map(({ item }) => item))
        for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    isWorking = false
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isWorking) goOn()
    })
}
