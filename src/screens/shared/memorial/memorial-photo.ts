/** A picture of the memorial, with everything that a page needs to show it. */
export interface MemorialPhoto {
  /** By format, what a browser takes one of; `fallback` is for one that takes none of them. */
  readonly sources: Readonly<Record<string, string>>
  readonly fallback: string
  readonly width: number
  readonly height: number
  readonly alt: string
  readonly caption: string
  readonly credit: string
  readonly failed: string
}
