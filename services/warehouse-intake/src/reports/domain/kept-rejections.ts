/** Rejected reports are remembered this long. */
export const REJECTIONS_KEPT_MS = 7 * 86_400_000;

/** Of a warehouse the newest rejected reports are remembered, so many. */
export const MAX_REJECTIONS = 10_000;
