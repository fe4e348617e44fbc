import accessibility from './accessibility.json' with { type: 'json' }
import certificate from './certificate.json' with { type: 'json' }
import common from './common.json' with { type: 'json' }
import content from './content.json' with { type: 'json' }
import developers from './developers.json' with { type: 'json' }
import free from './free.json' with { type: 'json' }
import invoice from './invoice.json' with { type: 'json' }
import isThisReal from './is-this-real.json' with { type: 'json' }
import ledger from './ledger.json' with { type: 'json' }
import legal from './legal.json' with { type: 'json' }
import lostLinks from './lost-links.json' with { type: 'json' }
import mail from './mail.json' with { type: 'json' }
import manyCards from './many-cards.json' with { type: 'json' }
import manyPage from './many-page.json' with { type: 'json' }
import newsletter from './newsletter.json' with { type: 'json' }
import operator from './operator.json' with { type: 'json' }
import ownMoney from './own-money.json' with { type: 'json' }
import panels from './panels.json' with { type: 'json' }
import payment from './payment.json' with { type: 'json' }
import payouts from './payouts.json' with { type: 'json' }
import polls from './polls.json' with { type: 'json' }
import print from './print.json' with { type: 'json' }
import problems from './problems.json' with { type: 'json' }
import receiver from './receiver.json' with { type: 'json' }
import sandbox from './sandbox.json' with { type: 'json' }
import sender from './sender.json' with { type: 'json' }
import sending from './sending.json' with { type: 'json' }
import transparency from './transparency.json' with { type: 'json' }
import volunteering from './volunteering.json' with { type: 'json' }
import withdraw from './withdraw.json' with { type: 'json' }

/** Every text of this language: flat keys, unique over all parts. The file is the same in each language. */
export default {
  ...accessibility,
  ...certificate,
  ...invoice,
  ...common,
  ...content,
  ...developers,
  ...free,
  ...isThisReal,
  ...ledger,
  ...legal,
  ...lostLinks,
  ...mail,
  ...manyCards,
  ...manyPage,
  ...newsletter,
  ...operator,
  ...ownMoney,
  ...panels,
  ...payment,
  ...payouts,
  ...polls,
  ...print,
  ...problems,
  ...receiver,
  ...sandbox,
  ...sender,
  ...sending,
  ...transparency,
  ...volunteering,
  ...withdraw,
} as const
