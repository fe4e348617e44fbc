import { leaveCard } from '#server/modules/gifts/cards/leave.ts'
import { openCard } from '#server/modules/gifts/cards/open.ts'
import { passportOf, passportOfReceipt } from '#server/modules/gifts/cards/passport.ts'
import { readReceipt } from '#server/modules/gifts/cards/receipt.ts'
import { type RedeemTools, redeemCard } from '#server/modules/gifts/cards/redeem.ts'
import type { Cards } from '#server/modules/gifts/interface.ts'

/** What pages and endpoints may do with cards. `listedNgoIds` is asked at each redemption: the list may change. */
export function createCards(tools: RedeemTools): Cards {
  return {
    open: (key, asked) => openCard(tools.db, tools.keys, key, asked),
    passport: (key, asked) => passportOf(tools, key, asked, tools.clock()),
    receiptPassport: key => passportOfReceipt(tools, key),
    redeem: (key, selection, attemptKey) => redeemCard(tools, key, selection, attemptKey),
    leave: key => leaveCard(tools, key),
    receipt: (key, cardKey) => readReceipt(tools, key, tools.clock(), cardKey),
  }
}
