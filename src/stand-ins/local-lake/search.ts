import type { LakeDocument } from './model.ts'

/**
 * What `text::query` finds: documents with every word of the query, each at the beginning of a word. Case and accents do
 * not count. `-word` must not be there. Words in quotes must follow one another. `*` alone finds everything: a list asks
 * so before anybody types.
 * @returns the ids
 */
export function search(documents: readonly LakeDocument[], asked: string): string[] {
  const terms = termsOf(asked.slice(0, MOST_ASKED))
  if (terms.length === 0 && !asked.includes('*')) return []
  return documents
    .filter(document => {
      const words = wordsOf(document)
      return terms.every(({ wanted, phrase }) => wanted === contains(words, phrase))
    })
    .map(({ _id }) => _id)
}

/** What is typed into a search field, and more. */
const MOST_ASKED = 1000

interface Term {
  readonly wanted: boolean
  /** Words that follow one another; each may be the beginning of one. */
  readonly phrase: readonly string[]
}

function termsOf(asked: string): Term[] {
  return [...asked.matchAll(/(-?)(?:"([^"]*)"|([^\s"]+))/g)]
    .map(([, minus, quoted, plain]) => ({ wanted: minus === '', phrase: wordsIn(quoted ?? plain ?? '') }))
    .filter(({ phrase }) => phrase.length > 0)
}

function contains(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, start) => phrase.every((part, index) => words[start + index]?.startsWith(part)))
}

const kept = new WeakMap<LakeDocument, readonly string[]>()

/** Every word in a document's texts and in its name. Documents never change in place, so each is read once. */
function wordsOf(document: LakeDocument): readonly string[] {
  const before = kept.get(document)
  if (before) return before
  const words = textsIn(document).flatMap(wordsIn)
  kept.set(document, words)
  return words
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []
