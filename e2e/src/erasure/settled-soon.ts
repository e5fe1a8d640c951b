/** For the platform of a scenario: no request of it is under way for as long as an erasure waits by default. */
export const settledSoon = { ERASURE_SETTLE: '12s' } as const;
