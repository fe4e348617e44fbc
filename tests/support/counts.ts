/** How often something random or violent is done: `npm test` has half an hour, `npm run test:long` has all night. */
export interface Counts {
  readonly usual: number
  readonly long: number
}

/** Is this the long run? */
export const isLong: boolean = Boolean(process.env.LONG)

/** The one place where the two runs differ. Every count that differs comes from here. */
export const count = ({ usual, long }: Counts): number => (isLong ? long : usual)
