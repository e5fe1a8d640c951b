import { ApiFailure } from '@parcelway/page/api/failure';
import type { QueuedPhoto, QueuedReport } from './queued-report.ts';
import type { ReportQueue } from './report-queue.ts';

/** The platform's store of photos. */
export interface PhotoApi {
  /** Uploads a photo. @param id makes a repeat return the first photo_id @throws ApiFailure */
  uploadPhoto(content: Blob, id: string): Promise<{ readonly photo_id: string }>;
}

/** In place of a code of the API: the browser has lost the content of a photo. */
export const PHOTO_LOST = 'photo_lost';

/**
 * Uploads a photo of a report and notes its photo_id; its report follows once all of its photos have one. A photo is retried as reports
 * are (`retry.ts`), each time under the same id, so that the platform stores it once. A refused photo sets its report aside.
 * @throws ApiFailure of the upload; PHOTO_LOST when its content is no longer on the device
 */
export async function uploadQueuedPhoto(queue: ReportQueue, api: PhotoApi, report: QueuedReport, photo: QueuedPhoto): Promise<void> {
  const content = await queue.photo(photo.id);
  if (content === undefined) throw new ApiFailure(PHOTO_LOST, { detail: 'The photo is no longer on this device' });
  const { photo_id } = await api.uploadPhoto(content, photo.id);
  await queue.photoUploaded(report, photo.id, photo_id);
}
