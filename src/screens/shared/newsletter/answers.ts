/** What checks and sends the answers of the newsletter's form, as a file of its own: few of those who see it begin. */
export { readClaimAddress } from '#domain/campaign/claim-address.ts'
export { cleanSenderName } from '#domain/sender/sender-name.ts'
export { subscribeToNewsletter } from '#wire/newsletter-client.ts'
