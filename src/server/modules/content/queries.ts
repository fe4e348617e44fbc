/** Marks a question for the generator of `generated/sanity.types.ts`; the text stays as it is. */
const groq = String.raw

/**
 * Every question the site asks of its content: GROQ, sent to the Content Lake as it stands here. One request
 * fetches everything published, so that a snapshot is always of one moment.
 */
export const EVERYTHING_PUBLISHED = groq`{
  "settings": *[_type == "settings" && _id == "settings"][0] {
    siteName, contactEmail, tipLink, companyLink, professionalNetworkLink, affiliationNotice, shareTexts,
    paymentFee { cost, paidFrom }
  },
  "operator": *[_type == "settings" && _id == "settings"][0].operator {
    legalName, legalForm, taxNumber, register, seat, secondContact, supervisor, host
  },
  "markets": *[_type == "settings" && _id == "settings"][0].markets {
    EUR { months, reminderDays, lastDayWords, taxShare, vatRate, receipts, certificateWords, identityFrom, mostOwn },
    USD { months, reminderDays, lastDayWords, taxShare, vatRate, receipts, certificateWords, identityFrom, mostOwn },
    CAD { months, reminderDays, lastDayWords, taxShare, vatRate, receipts, certificateWords, identityFrom, mostOwn },
    GBP { months, reminderDays, lastDayWords, taxShare, vatRate, receipts, certificateWords, identityFrom, mostOwn }
  },
  "offer": {
    "gifts": *[_type == "giftPackage"] | order(place asc, _id asc) {
      "id": code, title, subtitleStart, subtitleKeep, description,
      "citation": citation { title, place, links },
      reach,
      "prices": {
        "tiktok-fr": france { EUR { amount, support }, USD { amount, support }, CAD { amount, support }, GBP { amount, support } },
        "tiktok-sp": spain { EUR { amount, support }, USD { amount, support }, CAD { amount, support }, GBP { amount, support } },
        "tiktok-usa": english { EUR { amount, support }, USD { amount, support }, CAD { amount, support }, GBP { amount, support } }
      }
    },
    "invitation": *[_type == "invitationPackage" && _id == "invitationPackage"][0] {
      "id": code, title, benefits, reach,
      "prices": prices { EUR { amount, support }, USD { amount, support }, CAD { amount, support }, GBP { amount, support } }
    }
  },
  "ngoList": *[_type == "ngoList"] | order(year desc)[0] {
    year, reviewedAt,
    "ngos": ngos[!defined(@->_id) || @->consent.state == "given"]-> { "id": _id, title, article, description, links }
  },
  "pages": {
    "who-we-are": *[_type == "page" && slug.current == "who-we-are"][0].body,
    "cookie-policy": *[_type == "page" && slug.current == "cookie-policy"][0].body
  },
  "legalTexts": {
    "legal-notice": *[_type == "page" && slug.current == "legal-notice"][0].body,
    "terms": *[_type == "page" && slug.current == "terms"][0].body,
    "privacy": *[_type == "page" && slug.current == "privacy"][0].body
  },
  "knownNgos": *[_type == "ngo" && _id in *[_type == "ngoList"].ngos[]._ref] | order(_id asc) {
    "id": _id, title, article
  },
  "adCampaigns": *[_type == "adCampaign"] | order(_id asc) { code, language, source, active },
  "freeCampaigns": *[_type == "freeCampaign"] | order(_id asc) { tag, language, source, active, stock },
  "volunteeringOrganisations": *[_type == "volunteeringOrganisation"] | order(place asc, _id asc) {
    "id": _id, title, description, links
  },
  "missions": *[_type == "mission"] | order(place asc, _id asc) {
    "id": _id, title, description, "organisationId": organisation->_id
  },
  "memorialPhotos": *[_type == "memorialPhoto"] | order(place asc, _id asc) {
    "id": _id, author, licence, caption, alt,
    "image": { "asset": image.asset._ref, "crop": image.crop { top, bottom, left, right } }
  },
  "themes": *[_type == "theme"] | order(place asc, _id asc) {
    "id": word, names, paper, ink, motif, offered, place
  }
}`

/** Secrets that the Studio's preview wrote within the hour; it makes a new one before the old one ends. */
export const LIVE_PREVIEW_SECRETS = groq`*[
  _type == "sanity.previewUrlSecret" && secret == $secret && dateTime(_updatedAt) > dateTime(now()) - 3600
]._id`
