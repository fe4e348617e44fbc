/** Kinds of which the site needs exactly the documents there are: the operator changes them, but makes no others. */
export const SINGLETON_TYPES: ReadonlySet<string> = new Set(['settings', 'page', 'invitationPackage'])
