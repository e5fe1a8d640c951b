import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';

/**
 * Writes, and writes again after each pause while the store is out: the write may have happened, and only its response got lost.
 * @throws AppError 50301 when it is out after the last pause too; what `write` throws otherwise, at once
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
