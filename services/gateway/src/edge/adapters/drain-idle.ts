/**
 * A drain closes connections of clients that have been idle for this long. Clients out there have their own idea of when to give one up: the
 * longer, the rarer is one closed under a request.
 */
export const DRAIN_IDLE_MS = 5000;
