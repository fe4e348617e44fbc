import type { SOURCE_LANGUAGE } from '#domain/languages.ts'
// Imported one by one (not by import.meta.glob), so that Node, Vite and vitest read the very same modules.

import enAccessibility from '../../locales/en/accessibility.json' with { type: 'json' }
import enCommon from '../../locales/en/common.json' with { type: 'json' }
import enContent from '../../locales/en/content.json' with { type: 'json' }
import enFree from '../../locales/en/free.json' with { type: 'json' }
import enLostLinks from '../../locales/en/lost-links.json' with { type: 'json' }
import enMail from '../../locales/en/mail.json' with { type: 'json' }
import enNewsletter from '../../locales/en/newsletter.json' with { type: 'json' }
import enOperator from '../../locales/en/operator.json' with { type: 'json' }
import enPanels from '../../locales/en/panels.json' with { type: 'json' }
import enPayment from '../../locales/en/payment.json' with { type: 'json' }
import enPolls from '../../locales/en/polls.json' with { type: 'json' }
import enPrint from '../../locales/en/print.json' with { type: 'json' }
import enProblems from '../../locales/en/problems.json' with { type: 'json' }
import enReceiver from '../../locales/en/receiver.json' with { type: 'json' }
import enSender from '../../locales/en/sender.json' with { type: 'json' }
import enVolunteering from '../../locales/en/volunteering.json' with { type: 'json' }
import esAccessibility from '../../locales/es/accessibility.json' with { type: 'json' }
import esCommon from '../../locales/es/common.json' with { type: 'json' }
import esContent from '../../locales/es/content.json' with { type: 'json' }
import esFree from '../../locales/es/free.json' with { type: 'json' }
import esLostLinks from '../../locales/es/lost-links.json' with { type: 'json' }
import esMail from '../../locales/es/mail.json' with { type: 'json' }
import esNewsletter from '../../locales/es/newsletter.json' with { type: 'json' }
import esOperator from '../../locales/es/operator.json' with { type: 'json' }
import esPanels from '../../locales/es/panels.json' with { type: 'json' }
import esPayment from '../../locales/es/payment.json' with { type: 'json' }
import esPolls from '../../locales/es/polls.json' with { type: 'json' }
import esPrint from '../../locales/es/print.json' with { type: 'json' }
import esProblems from '../../locales/es/problems.json' with { type: 'json' }
import esReceiver from '../../locales/es/receiver.json' with { type: 'json' }
import esSender from '../../locales/es/sender.json' with { type: 'json' }
import esVolunteering from '../../locales/es/volunteering.json' with { type: 'json' }
import frAccessibility from '../../locales/fr/accessibility.json' with { type: 'json' }
import frCommon from '../../locales/fr/common.json' with { type: 'json' }
import frContent from '../../locales/fr/content.json' with { type: 'json' }
import frFree from '../../locales/fr/free.json' with { type: 'json' }
import frLostLinks from '../../locales/fr/lost-links.json' with { type: 'json' }
import frMail from '../../locales/fr/mail.json' with { type: 'json' }
import frNewsletter from '../../locales/fr/newsletter.json' with { type: 'json' }
import frOperator from '../../locales/fr/operator.json' with { type: 'json' }
import frPanels from '../../locales/fr/panels.json' with { type: 'json' }
import frPayment from '../../locales/fr/payment.json' with { type: 'json' }
import frPolls from '../../locales/fr/polls.json' with { type: 'json' }
import frPrint from '../../locales/fr/print.json' with { type: 'json' }
import frProblems from '../../locales/fr/problems.json' with { type: 'json' }
import frReceiver from '../../locales/fr/receiver.json' with { type: 'json' }
import frSender from '../../locales/fr/sender.json' with { type: 'json' }
import frVolunteering from '../../locales/fr/volunteering.json' with { type: 'json' }

/** Every interface text: flat keys, unique over all parts, the same in each language (a test keeps it so). */
export const CATALOGUES = {
  es: {
    ...esAccessibility,
    ...esCommon,
    ...esContent,
    ...esFree,
    ...esLostLinks,
    ...esMail,
    ...esNewsletter,
    ...esOperator,
    ...esPanels,
    ...esPayment,
    ...esPolls,
    ...esPrint,
    ...esProblems,
    ...esReceiver,
    ...esSender,
    ...esVolunteering,
  },
  en: {
    ...enAccessibility,
    ...enCommon,
    ...enContent,
    ...enFree,
    ...enLostLinks,
    ...enMail,
    ...enNewsletter,
    ...enOperator,
    ...enPanels,
    ...enPayment,
    ...enPolls,
    ...enPrint,
    ...enProblems,
    ...enReceiver,
    ...enSender,
    ...enVolunteering,
  },
  fr: {
    ...frAccessibility,
    ...frCommon,
    ...frContent,
    ...frFree,
    ...frLostLinks,
    ...frMail,
    ...frNewsletter,
    ...frOperator,
    ...frPanels,
    ...frPayment,
    ...frPolls,
    ...frPrint,
    ...frProblems,
    ...frReceiver,
    ...frSender,
    ...frVolunteering,
  },
} as const

/** A key of the source language's catalogue. */
export type TextKey = keyof (typeof CATALOGUES)[typeof SOURCE_LANGUAGE]
