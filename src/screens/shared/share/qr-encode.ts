/** What draws a QR code, as a file of its own: fetched once a gift is shown. */
export { encode } from 'uqr'
