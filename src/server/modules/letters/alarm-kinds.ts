import { decimal } from '#domain/money/money.ts'

/** The facts of a log entry: ids, and amounts in minor units with their `currency`. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>

export interface AlarmWords {
  /** `once`: never again about the same subject. */
  readonly atMostPer: 'hour' | 'day' | 'week' | 'once'
  /** What the alarm means, and what the operator should do. */
  readonly meaning: string
  /** The fact by which two of a kind are told apart, so that each has its mail: an order, say. */
  readonly of?: string
  /** More facts of that subject that tell two apart: a second loss of the same order, say. */
  readonly and?: readonly string[]
  /** The subject of the mail. */
  readonly title: (facts: Facts) => string
  /** The fact by which the desk finds what it is about: the mail leads to that timeline. */
  readonly timeline?: string
  /** One sentence with amounts and currency that replaces the bare facts. */
  readonly says?: (facts: Facts) => string
  /** Everybody at the desk is written to, besides the operator's own address. */
  readonly toAll?: true
}

/**
 * The log's events that a person has to hear of: what they mean for that person, and how often one mail is enough. A
 * state that lasts is told of once a day, an event once an hour, and what happens to the money of one order for itself.
 */
export const ALARMS = {
  'payment-reversed-at-a-loss': {
    atMostPer: 'hour',
    of: 'order',
    and: ['refunded', 'disputed'],
    timeline: 'order',
    title: facts => `${amountOf(facts, 'loss')} lost, order ${facts.order}`,
    says: facts =>
      `Of the ${amountOf(facts, 'paid')} of order ${facts.order}, ${wentBack(facts)}. ${amountOf(facts, 'loss')} of it is lost to the product; the card is ${facts.card}.`,
    meaning:
      'Money went back to a buyer, and their card was given away already, or only a part went back and the card goes on with all of its credit. The books show the loss. `npm run ops -- card` with the order says what became of the card; the rest is in the payment account.',
  },
  'own-money-unreadable': {
    atMostPer: 'hour',
    of: 'order',
    timeline: 'order',
    title: facts => `Nobody can tell where own money goes, order ${facts.order}`,
    says: facts =>
      `Order ${facts.order} is of money that somebody added for organisations of their choice. What they chose cannot be read, so a card was made of it instead, and its link was mailed to them.`,
    meaning:
      'Either somebody wrote to the database, or the secret of the cards was changed and the earlier one was taken away while a payment was open. Nothing is lost: whoever paid divides the money anew by the link in their mail, and otherwise it is drawn for at the end of the term. `npm run ops -- check` says whether other rows were changed.',
  },
  'batch-reversed-in-part': {
    atMostPer: 'hour',
    of: 'order',
    and: ['refunded', 'disputed'],
    timeline: 'order',
    title: facts => `Of which cards is it? ${facts.cards} are held, order ${facts.order}`,
    says: facts =>
      `Of the ${amountOf(facts, 'paid')} of order ${facts.order}, ${wentBack(facts)}, and nothing says of which of its cards. ${facts.cards} that nobody has used are held.`,
    meaning:
      'A part of the payment of an order of many cards went back, and the refund or dispute names no cards. Until you say which are meant, nobody can use those that are left. Write their numbers in the payment account, into the field `cards` of the metadata of the refund or dispute (`3, 5-8`): those are given back then. Release the others with `npm run ops -- release` and the order.',
  },
  'card-reduced-by-dispute': {
    atMostPer: 'hour',
    of: 'order',
    and: ['taken'],
    timeline: 'order',
    title: facts => `A card now holds ${amountOf(facts, 'left')}, order ${facts.order}`,
    says: facts =>
      `Of the ${amountOf(facts, 'paid')} of order ${facts.order}, ${wentBack(facts)}. Disputes have taken ${amountOf(facts, 'taken')} off the card’s credit, which is ${amountOf(facts, 'left')} now; the card is ${facts.card}.`,
    meaning:
      'What a buyer’s bank took back of a part of a payment has changed, and with it what the card can give. The links go on working, and the books have followed; nothing is to be done unless the buyer asks.',
  },
  'invoice-refund-due': {
    atMostPer: 'week',
    of: 'order',
    and: ['withdrawal', 'amount'],
    timeline: 'order',
    title: facts => `${amountOf(facts, 'amount')} is to be transferred back, order ${facts.order}`,
    says: facts =>
      `The buyer of order ${facts.order} paid by invoice and has withdrawn. ${amountOf(facts, 'amount')} is to go back to the account it came from.`,
    meaning:
      'Transfer it at your bank within 14 days, and then say so: in the Studio under Invoices, or with `npm run ops -- invoice refunded`. The cards are held until then, and the books follow what you say (docs/guides/invoices.md).',
  },
  'withdrawal-not-refunded': {
    atMostPer: 'day',
    of: 'order',
    // Of many cards a buyer withdraws more than once, and each refund may come back.
    and: ['refunded', 'amount'],
    timeline: 'order',
    title: facts => `A withdrawal of ${amountOf(facts, 'amount')} was not refunded, order ${facts.order}`,
    says: facts =>
      `The buyer of order ${facts.order} has withdrawn and is to get ${amountOf(facts, 'amount')} back. They have not got it.`,
    meaning:
      'A buyer has withdrawn, and the payment account has refused the refund, or it came back. Look for the order in the payment account: it says why (the card has expired, say, or the balance is too low). A refused one is asked for again every few minutes; one that came back has made the card usable again, and its buyer was told to press once more or to write to you. docs/guides/withdrawals.md says what to do.',
  },
  'withdrawal-without-charge': {
    atMostPer: 'day',
    of: 'order',
    timeline: 'order',
    title: facts => `No payment of ${amountOf(facts, 'amount')} is found to give back, order ${facts.order}`,
    says: facts =>
      `The buyer of order ${facts.order}, who paid ${amountOf(facts, 'amount')}, has withdrawn and got nothing back.`,
    meaning:
      'A buyer has withdrawn, and no payment of their order is found in the payment account, so nothing was given back. Is STRIPE_SECRET_KEY still of the account that took the payment? Refund it there by hand; the card follows.',
  },
  'withdrawal-not-ours': {
    atMostPer: 'day',
    of: 'order',
    timeline: 'order',
    title: facts =>
      `A withdrawal of ${amountOf(facts, 'amount')} is not as it was written, order ${facts.order}`,
    says: facts =>
      `By the database ${amountOf(facts, 'amount')} of order ${facts.order} are to go back. Nothing was given back.`,
    meaning:
      'A withdrawal in the database does not fit its card, its payment or its seal, so nothing was given back. Somebody may have written to the database: run `npm run ops -- check`.',
  },
  'mail-given-up': {
    atMostPer: 'once',
    of: 'mail',
    timeline: 'card',
    title: facts => `A mail did not arrive, card ${facts.card}`,
    says: facts =>
      `The mail “${facts.kind}” of card ${facts.card} was given up: ${facts.reason}. It is not tried again by itself.`,
    meaning:
      'Whoever bought (or claimed) this card gets none of its mails, so no links and no reminder before its year ends. Ask the payment account for their right address, then run `npm run ops -- address` with the card and that address, and `npm run ops -- resend` with the card. If nobody knows another address, mark it as dealt with in its timeline, or with `npm run ops -- dealt-with` and the card.',
  },
  'payment-without-order': {
    atMostPer: 'once',
    // The order may be gone, and its timeline with it.
    of: 'payment',
    title: facts => `${amountOf(facts, 'amount')} were paid, and have no card after the restore`,
    says: facts =>
      `Order ${facts.order}, paid with ${amountOf(facts, 'amount')} (${facts.payment}), is not in the backup that was brought back, or another payment has paid it.`,
    meaning:
      'The order came after the backup and was lost with it, or it was paid twice: its buyer has paid for a card that cannot be made. Give back this payment, and no other of the order, in the payment account, and write to the buyer. docs/guides/backups.md says what else to do after a restore.',
  },
  'payment-not-ours': {
    atMostPer: 'hour',
    of: 'order',
    and: ['differs'],
    timeline: 'order',
    title: ({ order }) =>
      order === null ? 'A payment of no order of ours' : `A payment does not fit order ${order}`,
    says: facts =>
      `${facts.order === null ? 'A payment that names no order of ours' : `A payment of order ${facts.order}`}${facts.amount === null || facts.amount === undefined ? '' : ` of ${amountOf(facts, 'amount')}`} was not taken for one of ours (${facts.differs}).`,
    meaning:
      'A payment names an order of ours, or should, and does not fit it to the cent. No card was made. Look for it in the payment account.',
  },
  'limit-of-all-visitors-spent': {
    atMostPer: 'hour',
    of: 'limit',
    title: ({ limit }) => `Visitors wait: the limit “${limit}” of all together is spent`,
    says: ({ limit }) => `The limit “${limit}” of all visitors together is spent.`,
    meaning:
      'All visitors together use something faster than is allowed: they wait their turn, and those who have pressed most wait longest. With the limit "gateway" it may be a good evening (docs/guides/crowded-evening.md), or somebody may be testing stolen cards; with "free-claim" somebody may be emptying a free campaign; with "newsletter" somebody may be writing to strangers through us.',
  },
  'free-campaign-finished': {
    atMostPer: 'hour',
    of: 'campaign',
    title: ({ campaign }) => `The free campaign ${campaign} has given its last card`,
    says: ({ campaign, stock }) => `The campaign ${campaign} has given all its ${stock} cards.`,
    meaning:
      'The last card of a free campaign is given: whoever comes now reads that it is sold out. More stock, or an end to its adverts, is for you to decide.',
  },
  'content-broken': {
    atMostPer: 'hour',
    of: 'fields',
    title: () => 'Something was published that the pages cannot show',
    says: ({ fields }) => `What is to be put right: ${fields}`,
    meaning:
      'Something was published that the pages cannot show, so visitors go on seeing the content before it. It is put right in the Studio; once it is published again, the site follows by itself.',
  },
  'publish-failed': {
    atMostPer: 'hour',
    title: () => 'New content was published, and its pages could not be made',
    says: ({ failed: pages }) => `Pages that could not be made: ${pages ?? 'the log names them'}.`,
    meaning:
      'New content was published, but pages that show it could not be rendered, so visitors go on seeing the pages before it. The log says which pages and why.',
  },
  'unused-card-altered': {
    atMostPer: 'day',
    title: () => 'An unused card was not given away: its seal does not fit',
    says: facts =>
      `The last day of ${facts.cards} unused cards is over, and their rows are not as the product wrote them. The first is ${facts.first}. They wait.`,
    meaning:
      'Somebody may have written to the database: run `npm run ops -- check`, and compare with a backup before anything is paid out. `npm run ops -- hold` with the card keeps everybody from using it. A card that has been put right is given away by itself.',
  },
  'unused-card-undrawn': {
    atMostPer: 'day',
    title: facts => `${facts.cards} unused cards wait for their draw since ${facts.since}`,
    says: facts =>
      `The last day of ${facts.cards} unused cards is over, and what they are to be drawn by has not come: ${facts.reason}.`,
    meaning:
      'They go on waiting, and are given by themselves once it comes: what was announced in the public ledger is never drawn in another way. `npm run ops -- doctor` asks drand; DRAND_URL may name another address of the same network. docs/guides/the-draw.md says more.',
  },
  'ledger-broken': {
    atMostPer: 'day',
    of: 'first',
    title: ({ findings }) =>
      `The books do not agree: ${findings === 1 ? 'one finding' : `${findings ?? 'several'} findings`}`,
    says: ({ findings, first }) =>
      `The daily check has findings: ${findings ?? 'several'}. The first breaks the rule “${first}”.`,
    meaning:
      'The books do not agree with what they tell of. Run `npm run ops -- check`, which names every place, before anything is paid out.',
  },
  'ledger-unchecked': {
    atMostPer: 'day',
    title: () => 'The books could not be checked',
    says: failed,
    meaning:
      'The daily check of the books could not finish, so nobody knows whether they are in order. It is tried again every ten minutes. Run `npm run ops -- check`, and pay nothing out before it has finished.',
  },
  'public-ledger-stopped': {
    atMostPer: 'day',
    title: () => 'The public ledger was not written',
    says: failed,
    meaning:
      'The public ledger was not written. What is due goes on waiting, and it is tried again every ten minutes. Where the reason is LedgerAltered, its lines in the database are not those that were signed: another hand has changed them, or an older backup was brought back, behind the head that everybody has seen. Then nothing more is signed: run `npm run ops -- check` and `npm run ops -- ledger verify`.',
  },
  'witness-silent': {
    atMostPer: 'day',
    of: 'witness',
    title: facts => `The witness ${facts.witness} has signed nothing since ${facts.since}`,
    says: facts =>
      `The witness ${facts.witness} was asked for its signature of the public ledger: ${facts.why}.`,
    meaning:
      'The public ledger is published all the same, without this signature, and the witness is asked again every ten minutes. Where it is gone for good, take it out of LEDGER_WITNESSES, or set another one.',
  },
  'witness-differs': {
    atMostPer: 'day',
    of: 'witness',
    title: facts => `The witness ${facts.witness} knows another public ledger`,
    says: facts => `The witness ${facts.witness} does not sign the public ledger: ${facts.why}.`,
    meaning:
      'What the witness has seen is no beginning of the ledger that is here: an older backup was brought back, or another hand has changed its lines. `npm run ops -- ledger verify` looks through it; docs/guides/backups.md says how the ledger goes on after an older backup.',
  },
  'work-failing': {
    atMostPer: 'day',
    of: 'work',
    title: ({ work }) => `What the site does by itself goes on failing: ${work}`,
    says: failed,
    meaning:
      'Something that the site does by itself has failed several times in a row, and what it does is left undone. `npm run ops -- jobs` lists each with its last result; the log says where it failed.',
  },
  'watch-failing': {
    atMostPer: 'day',
    of: 'rule',
    title: ({ rule }) => `One thing that is watched for you could not be looked at: ${rule}`,
    says: failed,
    meaning:
      'One of the things that the site watches for you could not be looked at, so its alarm would not come. The log says why; `npm run ops -- check` finds what is broken in the database.',
  },
  'books-sealed': {
    atMostPer: 'hour',
    title: ({ rows }) => `${rows} earlier rows of the books got their seals`,
    says: ({ rows }) => `Rows without a seal that have one now: ${rows}.`,
    meaning:
      'Rows from before the site sealed its books have got their seals. That happens once, after an update to the version with seals, or when an older backup is brought back. If you did neither, somebody may have taken the seals off: compare with a backup before anything is paid out.',
  },
  'mail-failing': {
    atMostPer: 'day',
    title: ({ mails }) => `Mails do not get through: ${mails}`,
    says: ({ mails }) => `Mails that wait after three tries or more: ${mails}.`,
    meaning:
      'Mails do not get through after several tries. They are kept and tried again every hour; `npm run ops -- doctor` tries the mail server.',
  },
  'webhook-silent': {
    atMostPer: 'day',
    title: () => 'The payment account tells of no payments any more',
    says: ({ payments }) => `Payments of which no event came: ${payments}.`,
    meaning:
      'Orders were paid, and the payment account sent no event of it. Cards are made all the same, later; look at the webhook in the payment account.',
  },
  'dispute-to-answer': {
    atMostPer: 'once',
    of: 'dispute',
    timeline: 'order',
    title: facts => `${amountOf(facts, 'amount')} disputed, order ${facts.order}`,
    says: facts =>
      `The buyer’s bank wants ${amountOf(facts, 'amount')} of order ${facts.order} back (${facts.dispute}). ${untilOf(facts)}`,
    meaning:
      'Answer in the payment account. A card that nobody has used is frozen meanwhile; of one that is used, what the bank takes back is the product’s loss. The gift’s timeline in the Studio, or `npm run ops -- card` with the order, has what an answer needs; docs/guides/disputes.md says how.',
  },
  'dispute-deadline-near': {
    atMostPer: 'once',
    of: 'dispute',
    timeline: 'order',
    title: facts => `Three days to answer: ${amountOf(facts, 'amount')} disputed, order ${facts.order}`,
    says: facts =>
      `Nobody has answered the dispute of ${amountOf(facts, 'amount')} of order ${facts.order} (${facts.dispute}). ${untilOf(facts)}`,
    meaning:
      'After that day the buyer’s bank decides without you, which is for the buyer. docs/guides/disputes.md says how to answer.',
  },
  'payment-disputed': {
    atMostPer: 'day',
    title: ({ cards }) => `Disputed payments: ${cards}`,
    says: ({ cards }) =>
      `Cards that a dispute holds, and nobody knows until when it can be answered: ${cards}.`,
    meaning:
      'Buyers have disputed payments, and the site has not heard yet until when you can answer. Answer in the payment account before its time is over. A card that nobody has used is frozen meanwhile; of one that is used, what the bank takes back is the product’s loss.',
  },
  'refund-unanswered': {
    atMostPer: 'day',
    of: 'card',
    timeline: 'card',
    title: facts => `A refund without an answer holds card ${facts.card}`,
    says: facts => `An operator asked for a refund of card ${facts.card}, and nothing was heard of it.`,
    meaning:
      'The payment provider gave no answer, or the site stopped at that moment. Nobody can use the card meanwhile, nor is it drawn for at the end of its term. If the money is to go back, press Refund again in its timeline, which does not give it back twice; else release the card.',
  },
  'payment-failures-rising': {
    atMostPer: 'day',
    // Those that a partner's program opens are judged apart.
    of: 'partner',
    title: ({ orders, paid, partner }) =>
      `Only ${paid} of ${orders} orders of a day were paid${partner === undefined ? '' : `, opened by ${partner}`}`,
    says: ({ orders, paid, partner }) =>
      `Of ${orders} orders of the last day${partner === undefined ? '' : ` that ${partner} opened`} ${paid} were paid, less than half as many as usual.`,
    meaning:
      'Far fewer orders are paid than usual. Try a purchase, and look at the payment account. Where only the orders of one partner are named, ask that partner what its program does.',
  },
  'campaign-stock-low': {
    atMostPer: 'day',
    of: 'campaign',
    title: ({ campaign, left }) => `The free campaign ${campaign} has ${left} cards left`,
    says: ({ campaign, left, stock }) => `The campaign ${campaign} has ${left} of its ${stock} cards left.`,
    meaning:
      'A free campaign has nearly given all its cards. More stock, or an end to its adverts, is for you to decide.',
  },
  'campaign-without-stock': {
    atMostPer: 'week',
    of: 'campaign',
    title: ({ campaign }) => `The free campaign ${campaign} runs and has no cards`,
    says: ({ campaign, stock }) =>
      `The campaign ${campaign} has given all of its ${stock} cards, and is still running.`,
    meaning:
      'Whoever opens its link reads that it is sold out. In the Studio, under Campaigns with free cards, give it more stock, or switch it off.',
  },
  'certificate-ending': {
    atMostPer: 'day',
    of: 'host',
    title: ({ host, until }) => `The certificate of ${host} ends on ${until}`,
    says: ({ host, until }) => `The certificate that browsers get from ${host} is good until ${until}.`,
    meaning:
      'After that day browsers open the site no more. It should have been renewed by itself: `certbot renew` (as root) says why it was not; then `systemctl reload nginx`.',
  },
  'placeholders-left': {
    atMostPer: 'week',
    title: ({ all }) => `Still of an example: ${all} ${all === 1 ? 'place' : 'places'}`,
    says: ({ fields }) => `Where: ${fields}.`,
    meaning:
      'Visitors read words, or write to addresses, that stand for your own and are nobody’s. Settings are in .env, everything else in the Studio. `npm run ops -- doctor` lists what is left.',
  },
  'backup-overdue': {
    atMostPer: 'day',
    title: facts =>
      facts.last === 'never' ? 'No backup was ever made' : `The last backup is of ${facts.last}`,
    says: ({ last }) => `The last backup: ${last}.`,
    meaning:
      'If the machine is lost, whatever came after the last backup is lost with it. `systemctl list-timers gifts-backup.timer` says whether the nightly one is on; `npm run ops -- backup` makes one now. docs/guides/backups.md has the rest.',
  },
  'archive-behind': {
    atMostPer: 'hour',
    title: () => 'The database’s log is not being shipped',
    says: ({ seconds }) => `Nothing has reached WAL_ARCHIVE for ${seconds} seconds.`,
    meaning:
      'If the disk is lost now, what was sold and used since then is lost with it. Is the folder there, and has it room? The site goes on, and ships what is waiting as soon as it can. docs/guides/backups.md has the rest.',
  },
  'archive-gap': {
    atMostPer: 'hour',
    title: () => 'The archive of the database’s log begins anew',
    says: ({ generation }) => `Generation ${generation} has ended; the next one begins with a whole copy.`,
    meaning:
      'Something wrote to the database past the site, or its log had grown too long while the archive was away. Until the new copy is whole, a restore goes back to before that. Nothing is to be done, unless it comes again.',
  },
  'archive-copy-failed': {
    atMostPer: 'hour',
    title: () => 'A whole copy for the archive could not be made',
    says: ({ generation }) => `It was to be one of generation ${generation}.`,
    meaning:
      'The copy is made beside the database first, then put into WAL_ARCHIVE: has either of them no room left? It is tried again in a second. Until it succeeds, a restore begins with an earlier one, and nothing that is old leaves the archive.',
  },
  'archive-damaged': {
    atMostPer: 'hour',
    title: () => 'A part of the archive is damaged',
    says: ({ generation, segment }) =>
      `Segment ${segment} of generation ${generation} is not what was written.`,
    meaning:
      'A restore stops before it, so the disk that holds WAL_ARCHIVE has to be looked at. The site has begun a new generation with a whole copy, from which a restore works.',
  },
  'ngo-review-overdue': {
    atMostPer: 'day',
    title: () => 'The yearly review of the organisations is overdue',
    says: () => 'In the Studio: Content → Review due.',
    meaning:
      'The yearly review of the organisations is overdue. Look through each document that is due, press “Mark as reviewed” in the menu beside Publish, and publish it.',
  },
  'provider-currency-unknown': {
    atMostPer: 'day',
    of: 'currency',
    title: facts => `The payment account holds ${facts.currency}, which the books do not keep`,
    says: facts =>
      `Movement ${facts.movement} of the payment account is in ${facts.currency}; it was left out of the books.`,
    meaning:
      'The books keep the currencies that the product sells in. Look at the movement in the payment account. If it is of an order, `npm run ops -- check` names the order: let the account settle its payments in one of those currencies.',
  },
  'provider-movement-unknown': {
    atMostPer: 'once',
    of: 'movement',
    title: facts =>
      `${amountOf(facts, 'amount')} moved in the payment account for a reason that nobody knows`,
    says: facts =>
      `Movement ${facts.movement} of the payment account, of type “${facts.type}” (${facts.category}), moved ${amountOf(facts, 'amount')}. It is booked as “other”, and is your own.`,
    meaning:
      'The payment account has a kind of movement that the product does not know. Look at it there. If it is about the payment of an order, `npm run ops -- check` names the order; otherwise it is yours, and the books are right.',
  },
  'provider-payout-missing': {
    atMostPer: 'once',
    of: 'payout',
    title: facts => `The payment account knows nothing of its payout of ${amountOf(facts, 'amount')}`,
    says: facts =>
      `Payout ${facts.payout} of ${amountOf(facts, 'amount')} (movement ${facts.movement}) is in the books, and the payment account that is set does not know it. What it was made of is not known, and is not asked for again.`,
    meaning:
      'Mostly the payment account was changed before this payout was read: then look it up in the account of before, and compare it with what your bank has received. If you did not change it, the key of another account is set in `STRIPE_SECRET_KEY`.',
  },
  'payee-warning-given-up': {
    atMostPer: 'once',
    of: 'mail',
    title: facts => `Nobody at ${facts.organisation} was warned of its new account`,
    says: facts =>
      `The mail that tells the old contact of ${facts.organisation} of another account was given up: ${facts.reason}. It is not tried again. The new account can be confirmed a day after that.`,
    meaning:
      'Somebody has proposed another bank account for an organisation, and the contact of the present one does not know. Call the organisation at a number that you find yourself before `npm run ops -- account confirm`. If it was not them, `npm run ops -- account withdraw` with its name ends what was proposed.',
  },
  'payout-advice-given-up': {
    atMostPer: 'once',
    of: 'mail',
    title: facts => `${facts.organisation} was not told of its ${amountOf(facts, 'amount')}`,
    says: facts =>
      `The mail that tells ${facts.organisation} of payout ${facts.payout}, ${amountOf(facts, 'amount')}, was given up: ${facts.reason}. It is not tried again by itself.`,
    meaning:
      'The bank has paid an organisation, and nobody there was told. Ask it for the right address, note it with `npm run ops -- account propose` and `account confirm`, then end the dead link with `npm run ops -- payout unadvise` and write again with `payout advise`, each with the payout.',
  },
  'organisation-link-dead': {
    atMostPer: 'once',
    of: 'once',
    title: facts => `A link of ${facts.organisation} is dead`,
    says: facts =>
      `${facts.link}, a link of ${facts.organisation}, has found nothing since ${facts.since}: it ${facts.reason}.`,
    meaning:
      'Visitors who want to read about an organisation find nothing at its link. Open it yourself; if it is gone, put the organisation’s new page in the Studio and publish. Once it answers again, nothing more is said of it.',
  },
  'duties-due': {
    atMostPer: 'once',
    of: 'month',
    title: ({ month, due, late }) => `This is due in ${month}: ${due}${late === 0 ? '' : `, late: ${late}`}`,
    says: ({ list }) => `${list}\n`,
    meaning:
      'This is what the site needs of you this month; docs/guides/treasurers-year.md has the whole list. `npm run ops -- due` says what is left of it. What becomes late before the next month has a mail of its own.',
  },
  'duty-late': {
    atMostPer: 'once',
    of: 'duty',
    title: ({ title }) => `Late: ${title}`,
    says: ({ says }) => `${says}\n`,
    meaning:
      'Something that the site needs of you was to be done by now. It stays in the mail of each month, and in `npm run ops -- due`, until it is done.',
  },
  'passkey-made': {
    atMostPer: 'once',
    of: 'passkey',
    title: () => 'Somebody made a passkey',
    says: ({ person, role }) =>
      `The person ${person} can sign in with it from now on, as ${role === 'treasurer' ? 'a treasurer' : 'an editor'}.`,
    meaning:
      'A treasurer’s passkey gives money back, pays organizations and lets others in. Is it nobody you know? `npm run ops -- people` lists everybody, and `npm run ops -- people end` with the id above ends them at once.',
    toAll: true,
  },
  'invitation-on-the-machine': {
    atMostPer: 'once',
    of: 'invitation',
    title: () => 'Somebody will be able to make a passkey tomorrow',
    says: ({ person, from }) => `The person ${person} can make one from ${from} on, with a code.`,
    meaning:
      'Somebody with a shell on the server has made an invitation, as is done when every passkey is lost. It waits for a day, so that you can object. Is it nobody you know? `npm run ops -- people end` with the id above ends it; then change what opens the machine.',
    toAll: true,
  },
  'clock-apart': {
    atMostPer: 'once',
    of: 'once',
    title: ({ server, seconds, isAhead }) =>
      `The clock of ${server} is ${seconds} seconds ${isAhead ? 'ahead' : 'behind'}`,
    says: ({ server, seconds, isAhead }) =>
      `The clock of the server ${server} is ${seconds} seconds ${isAhead ? 'ahead of' : 'behind'} the database’s.`,
    meaning:
      'Servers on one database are to have one time: what waits for its time is done too early or too late, and a mail that fails is tried again without a pause. No work is done twice by it. `timedatectl` on that machine, and on the database’s, says whether its time comes from the network. Once both agree, nothing more is said of it.',
  },
  'clock-not-believed': {
    atMostPer: 'day',
    of: 'work',
    title: ({ work }) => `The machine’s clock was not believed: ${work} did not run`,
    says: ({ work }) =>
      `What was not done: ${work}. When the clock is right: \`npm run ops -- run ${work} --trust-clock\`.`,
    meaning:
      'This machine says that more time has gone by than a site is ever silent, so nothing was done that cannot be undone. Each job that waits so has a mail of its own; `npm run ops -- jobs` calls them refused.',
  },
} as const satisfies Record<string, AlarmWords>

export type AlarmKind = keyof typeof ALARMS

/** What failed, how often, and for which reason, as far as that is known. */
function failed({ work, rule, reason, failures }: Facts): string {
  const what = work ?? rule
  return [
    what !== undefined && `It is “${what}”.`,
    failures !== undefined && `It has failed ${failures === 1 ? 'once' : `${failures} times in a row`}.`,
    reason !== undefined && `The reason: ${reason}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** An amount of the facts in words: 5000 with the currency EUR → `50.00 EUR`. */
function amountOf(facts: Facts, name: string): string {
  return `${decimal(Number(facts[name] ?? 0))} ${facts.currency}`
}

/** Until which day a dispute can be answered. */
const untilOf = ({ until }: Facts): string =>
  until ? `It can be answered until ${until}.` : 'The payment account says until when it can be answered.'

/** A sentence that says who took how much back. */
function wentBack(facts: Facts): string {
  const parts = [
    Number(facts.refunded) > 0 && `${amountOf(facts, 'refunded')} was given back`,
    Number(facts.disputed) > 0 && `${amountOf(facts, 'disputed')} was taken back by lost disputes`,
  ].filter(Boolean)
  return parts.length === 0 ? 'nothing is given back or taken back now' : parts.join(' and ')
}

/** The words of an alarm, and how often it is sent. */
export function wordsOf(kind: AlarmKind): AlarmWords {
  return ALARMS[kind]
}

/** Is this event of the log an alarm? */
export function isAlarm(event: string): event is AlarmKind {
  return Object.hasOwn(ALARMS, event)
}
