/** The element that says how far along the story one is; the sentence of the screen is described by it. */
export const STEP_ID = 'story-step'
