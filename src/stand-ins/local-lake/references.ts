import type { LakeDocument } from './model.ts'

const known = new WeakMap<LakeDocument, ReadonlySet<string>>()

/**
 * The documents that this one cannot be without: every `_ref` that is not `_weak` and points into this dataset.
 * Documents are never changed in place, so each is looked through once.
 */
export function strongReferences(document: LakeDocument): ReadonlySet<string> {
  const before = known.get(document)
  if (before) return before
  const found = new Set<string>()
  collect(document, found)
  known.set(document, found)
  return found
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const element of value) collect(element, found)
    return
  }
  const { _ref, _weak, _dataset, _projectId } = value as Record<string, unknown>
  const elsewhere = _dataset !== undefined || _projectId !== undefined
  if (typeof _ref === 'string' && _weak !== true && !elsewhere && !_ref.includes(':')) found.add(_ref)
  for (const inner of Object.values(value)) collect(inner, found)
}

/**
 * What a document's references become when it is published: those that were weak only because their target was
 * not published yet (`_strengthenOnPublish`) become strong.
 */
export function strengthened<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(strengthened) as T
  const { _strengthenOnPublish, ...fields } = value as Record<string, unknown>
  if (_strengthenOnPublish !== undefined && !(_strengthenOnPublish as { weak?: unknown } | null)?.weak)
    delete fields._weak
  return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, strengthened(inner)])) as T
}
