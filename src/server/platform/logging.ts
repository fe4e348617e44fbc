/** Structured log lines; the implementation masks keys, addresses and session ids. */
export interface Log {
  info(event: string, facts?: Readonly<Record<string, string | number | boolean | null>>): void
  error(
    event: string,
    error: unknown,
    facts?: Readonly<Record<string, string | number | boolean | null>>,
  ): void
}
