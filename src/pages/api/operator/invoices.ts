import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readInvoices } from '#wire/operator.ts'

export const { GET, ALL } = endpoint(readInvoices, (_, { app }) => app.invoiceDesk.list(), {
  limit: 'operator-call',
  operatorOnly: true,
})
