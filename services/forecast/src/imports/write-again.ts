import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';

/**
 * Writes, and retries after each pause while the store is out. The write must be repeatable: it may have happened, and only its response was lost.
 * @throws AppError 50301 when the store is still out after the last pause; any other error of `write` at once
 */
export async function writeAgain<T>(pausesMs: readonly number[], write: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof AppError) || error.httpStatus !== 503) throw error;
    }
    await pause(pauseMs);
  }
  return write();
}
