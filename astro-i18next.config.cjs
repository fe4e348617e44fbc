// CommonJS on purpose: astro-i18next silently ignores an ES module here on Node >= 22.12.
// `load` is empty: the integration only names the languages; texts come from src/i18n (getT with an
// explicit language), because a process-wide language answers other visitors in the wrong one.
/** @type {import('astro-i18next').AstroI18nextConfig} */
module.exports = {
  defaultLocale: 'es',
  locales: ['es', 'en', 'fr'],
  load: [],
}
