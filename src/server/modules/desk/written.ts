/** Minor units as an amount with two decimals and thousands separators: `1,234.50`. */
export function written(minor: number): string {
  return (minor / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
