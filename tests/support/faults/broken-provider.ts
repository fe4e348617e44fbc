import type { PaymentsDouble, PaymentsDoubleOptions } from '#stand-ins/payments-double/index.ts'
import { createPaymentsDouble as create } from '../../../src/stand-ins/payments-double/index.ts'
import { reaching, trueNow } from './faulty-services.ts'

/** The payment double as a service elsewhere: with a disk and a clock of its own, and a network in between. */
export function createPaymentsDouble(options: PaymentsDoubleOptions): PaymentsDouble {
  const double = create({
    ...options,
    dataDir: process.env.PROVIDER_DIR ?? options.dataDir,
    clock: trueNow,
    // Its news are lost on the way: whatever becomes of a payment, the product has to find out by asking.
    deliver: async () => Response.error(),
  })
  const isPage = (request: Request) => double.handlesPath(new URL(request.url).pathname)
  return {
    ...double,
    // The buyer is at the provider's own page: nothing of ours lies between.
    fetch: request =>
      isPage(request) ? double.fetch(request) : reaching('provider', request, () => double.fetch(request)),
  }
}
