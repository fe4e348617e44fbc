/** Test cards of the provider, by what becomes of them. */
export const CARD = {
  good: '4242424242424242',
  spanish: '4000007240000007',
  british: '4000008260000000',
  declined: '4000000000000002',
  disputed: '4000000000000259',
  notReceived: '4000000000002685',
  slowRefund: '4000000000007726',
  failingRefund: '4000000000005126',
  slowDebit: 'AT611904300234573201',
  failingDebit: 'AT861904300235473202',
} as const

/** What is bought; `net` and `tax` are the parts of the support, as the model has them. */
export const PURCHASES = [
  { packageId: 'their water', ngoAmount: 5_000, supportAmount: 1_500, currency: 'EUR', net: 1_185, tax: 315 },
  { packageId: 'keep the chain', ngoAmount: 200, supportAmount: 0, currency: 'GBP', net: 0, tax: 0 },
  { packageId: 'their lifes', ngoAmount: 30_000, supportAmount: 0, currency: 'USD', net: 0, tax: 0 },
] as const

/** What a recipient adds of their own; the parts are those of two organisations. */
export const OWN_MONEY = [
  { packageId: 'own', ngoAmount: 3_700, supportAmount: 300, currency: 'EUR', net: 237, tax: 63 },
  { packageId: 'own', ngoAmount: 900, supportAmount: 0, currency: 'GBP', net: 0, tax: 0 },
] as const
