import type { QueuedReport } from './queued-report.ts';

/** Most reports that a device holds, and most bytes of their photos. */
export const MAX_REPORTS = 1000;
export const MAX_PHOTO_BYTES = 200 * 1024 * 1024;
/** Part of either from which on the page says that the queue is nearly full. */
const NEARLY = 0.8;

/** How much the queue holds. */
export interface Load {
  readonly waiting: number;
  readonly refused: number;
  /** Photos that have not been sent, and their bytes. */
  readonly photos: number;
  readonly bytes: number;
  readonly level: 'room' | 'nearly-full' | 'full';
}

/** How much a queue holds, and whether more fits. */
export function loadOf(reports: readonly QueuedReport[]): Load {
  const photos = reports.flatMap((report) => report.photos).filter(({ photoId }) => photoId === undefined);
  const bytes = photos.reduce((sum, { size }) => sum + size, 0);
  const refused = reports.filter(({ fault }) => fault !== undefined).length;
  const part = Math.max(reports.length / MAX_REPORTS, bytes / MAX_PHOTO_BYTES);
  const level = part >= 1 ? 'full' : part >= NEARLY ? 'nearly-full' : 'room';
  return { waiting: reports.length - refused, refused, photos: photos.length, bytes, level };
}
