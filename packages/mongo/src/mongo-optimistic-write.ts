/* The loop of optimistic writes, under its former path. */
export { lastTryAt, racePauseMs, untilWritten } from '@parcelway/kernel/optimistic-write';
