/**
 * What the build is made for. Without a project the Studio works on the site's own content, at the address that it
 * was loaded from. The build writes the values in, so that one for a hosted project carries no local code.
 */
export const projectId = process.env.SANITY_STUDIO_PROJECT_ID || 'local'
export const dataset = process.env.SANITY_STUDIO_DATASET || 'production'
