import type { QueuedPhoto, QueuedReport } from './queued-report.ts';

/** Most events of one call. */
export const MAX_BATCH = 50;

/** What is to be sent next: a photo, or events. */
export type Work =
  | { readonly send: 'photo'; readonly report: QueuedReport; readonly photo: QueuedPhoto }
  | { readonly send: 'events'; readonly reports: readonly QueuedReport[] };

/**
 * What is to be sent next, in the order of the bench: the photos of a report before it. Refused reports do not block the others.
 * @param reports by their number
 * @param most events of a call
 */
export function nextWork(reports: readonly QueuedReport[], most = MAX_BATCH): Work | undefined {
  const waiting = reports.filter(({ fault }) => fault === undefined);
  const openPhoto = (report: QueuedReport): QueuedPhoto | undefined => report.photos.find(({ photoId }) => photoId === undefined);
  const [first] = waiting;
  if (first === undefined) return undefined;
  const photo = openPhoto(first);
  if (photo !== undefined) return { send: 'photo', report: first, photo };
  const blocked = waiting.findIndex((report) => openPhoto(report) !== undefined);
  return { send: 'events', reports: waiting.slice(0, blocked === -1 ? most : Math.min(most, blocked)) };
}
