// CommonJS on purpose: astro-i18next silently ignores an ES module here on Node >= 22.12.
// `load` is empty: the integration only names the languages; texts come from src/i18n (getT with an
// explicit language), because a process-wide language answers other visitors in the wrong one.
const { LANGUAGES, SOURCE_LANGUAGE } = require('./src/domain/languages.ts')

/** @type {import('astro-i18next').AstroI18nextConfig} */
module.exports = {
  defaultLocale: SOURCE_LANGUAGE,
  locales: [...LANGUAGES],
  load: [],
}
