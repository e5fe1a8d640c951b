/** Most images that a merchant puts on one forecast. */
export const MAX_OWN_IMAGES = 20;
