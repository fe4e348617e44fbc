/** Where the invoices of a test site are paid to: in every currency but one. */
export const TEST_ACCOUNT = 'IBAN ES91 2100 0418 4502 0005 1332'
export const TEST_INVOICE_ACCOUNTS = `EUR: ${TEST_ACCOUNT}; USD: routing 021000021, account 12345678; GBP: sort code 20-00-00, account 55779911`
