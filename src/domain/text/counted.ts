/**
 * A number with its noun, for the operator, in English: `1 card`, `2 cards`.
 * @param several where it is not the noun with an s
 */
export const counted = (count: number, noun: string, several = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : several}`
