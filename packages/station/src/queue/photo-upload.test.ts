import { beforeEach, expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { MemoryStore } from '../testing/memory-store.ts';
import { PHOTO_LOST, uploadQueuedPhoto } from './photo-upload.ts';
import { ReportQueue } from './report-queue.ts';
import { nextWork } from './send-order.ts';

let store: MemoryStore;
let queue: ReportQueue;
/** Ids under which photos were uploaded. */
let uploads: string[];

beforeEach(async () => {
  [store, uploads] = [new MemoryStore(), []];
  queue = await ReportQueue.open({ store, environment: 'sandbox', warehouseCode: 'SZ01', newId: () => 'e1', now: () => 0 });
  const photos = ['a', 'b'].map((id) => ({ id, content: new Blob([id]) }));
  await queue.add({ title: 'PO-1', draft: { type: 'exception', forecast_no: 'FC1', reason: 'damaged' }, photos });
});

/** Uploads the photo that is to be sent next. */
async function uploadNext(failure?: ApiFailure): Promise<void> {
  const work = nextWork(queue.reports);
  if (work?.send !== 'photo') throw new Error('There is no photo to be sent');
  const uploadPhoto = async (_content: Blob, id: string) => {
    uploads.push(id);
    if (failure !== undefined) throw failure;
    return { photo_id: `ph_${id}` };
  };
  await uploadQueuedPhoto(queue, { uploadPhoto }, work.report, work.photo);
}

test('each photo is uploaded once and removed from the device, then its report follows', async () => {
  await uploadNext();
  await uploadNext();
  expect([uploads, store.photos.size]).toEqual([['a', 'b'], 0]);
  expect(nextWork(queue.reports)).toMatchObject({ send: 'events', reports: [{ photos: [{ photoId: 'ph_a' }, { photoId: 'ph_b' }] }] });
});

test('a photo whose upload failed stays, and is uploaded again under the same id', async () => {
  await expect(uploadNext(new ApiFailure('offline'))).rejects.toMatchObject({ code: 'offline' });
  expect(store.photos.size).toBe(2);
  await uploadNext();
  expect(uploads).toEqual(['a', 'a']);
});

test('a photo that the device has lost is not uploaded', async () => {
  store.photos.clear();
  await expect(uploadNext()).rejects.toMatchObject({ code: PHOTO_LOST });
  expect(uploads).toEqual([]);
});
