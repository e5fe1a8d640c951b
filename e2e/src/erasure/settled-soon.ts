/** For the platform of a scenario: no request of it is under way for seconds, as one may be for minutes elsewhere. */
export const settledSoon = { ERASURE_SETTLE: '4s' } as const;
