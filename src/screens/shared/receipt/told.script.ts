/** Thanks that a form was answered with: kept like those of the list, and put where a reload sends no form. */
import { keepReceipt, keptReceipt } from '#screens/shared/receipt/receipts.store.ts'
import { SCREEN_SHOWN } from '#wire/browser-names.ts'

const told = document.querySelector<HTMLElement>('[data-receipt-told]')
const { card = '', receiptTold = '', thanksPath = '' } = told?.dataset ?? {}
if (receiptTold) keepReceipt(card, receiptTold)
// Where nothing is kept a reload sends the form again, which is answered with the thanks again.
if (keptReceipt(card) !== undefined) {
  history.replaceState(null, '', thanksPath)
  dispatchEvent(new Event(SCREEN_SHOWN))
}
