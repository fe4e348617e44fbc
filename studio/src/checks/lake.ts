import type { ValidationContext } from 'sanity'

/** One day of grace would hide a change that was made a moment ago: rules ask for what is there now. */
const API_VERSION = '2026-05-04'

/** Asks for documents as the operator sees them: drafts in place of what they will replace. */
export function ask<Answer>(
  { getClient }: ValidationContext,
  query: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const client = getClient({ apiVersion: API_VERSION }).withConfig({ perspective: 'drafts' })
  return client.fetch<Answer>(query, params)
}

/** Asks for documents as visitors see them. */
export function askPublished<Answer>(
  { getClient }: ValidationContext,
  query: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const client = getClient({ apiVersion: API_VERSION }).withConfig({ perspective: 'published' })
  return client.fetch<Answer>(query, params)
}

/** The id without `drafts.`: what a document is called whether it is published or not. */
export const ownId = ({ document }: ValidationContext): string =>
  (document?._id ?? '').replace(/^drafts\./, '').replace(/^versions\.[^.]+\./, '')
