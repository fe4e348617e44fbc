/** Kinds with a fixed set of documents: the operator changes them, and makes no others. */
export const SINGLETON_TYPES: ReadonlySet<string> = new Set(['settings', 'page', 'invitationPackage'])
