/** A lease lasts this long, in milliseconds. */
export const LEASE_MS = 60_000;
