import { expect } from '@jest/globals';
import type { FileList } from '@parcelway/contracts/own-files-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import type { Cases, Neighbours, Paths } from './neighbours.ts';

/** Files and photos of others. */
export function fileCases(neighbours: Neighbours): Cases {
  const { stage, owner, stranger, owned, outOfReach } = neighbours;
  const aFile: Paths = async () => {
    const { data } = await owner.upload('a.pdf', samplePdf(newPoNumber('own')));
    return [{ attachment_id: String(data.attachment_id) }, { attachment_id: '1' }];
  };
  const onFile = (id: string, body?: unknown) => outOfReach(id, 'getFile', aFile, body);

  /** Route id → what is tried. */
  return {
    uploadPdf: async () => {
      const content = samplePdf(newPoNumber('same'));
      const mine = await owner.upload('a.pdf', content);
      const theirs = await stranger.upload('a.pdf', content);
      // The response does not show whether someone else has the same file.
      expect(theirs.data.deduplicated).toBe(false);
      expect(theirs.data.url).not.toBe(mine.data.url);
    },
    uploadImage: async () => {
      const { data } = await owner.uploadImage('a.png', samplePng(newPoNumber('image')));
      const { po_number } = await stranger.submit({ forecastType: 1 });
      const body = { image_id: data.image_id, image_type: 'product' };
      const refused = await callRoute(stranger.client, 'addForecastImage', { path: { po_number }, body });
      expect(refused).toMatchObject({ status: 422, code: '42201' });
    },
    listFiles: async () => {
      await owner.upload('a.pdf', samplePdf(newPoNumber('listed')));
      const mine = await expectRoute<FileList>(owner.client, 'listFiles', { query: { limit: 1 } });
      const another = await stage.operator.newMerchant();
      expect(await expectRoute<FileList>(another.client, 'listFiles')).toEqual({ files: [], next_cursor: null });
      const stolen = await callRoute(another.client, 'listFiles', { query: { cursor: String(mine.next_cursor) } });
      expect(stolen).toMatchObject({ status: 422, code: '42201' });
    },
    getFile: onFile('getFile'),
    deleteFile: onFile('deleteFile'),
    createFileUrl: onFile('createFileUrl', {}),
    openFile: async () => {
      const refused = await stranger.submitBody({ ...(await stranger.body()), shipping_label: owned.fileUrl });
      expect(refused.code).toBe('42203');
      const guessed = owned.fileUrl.replace(/\/files\/.{4}/, '/files/AAAA');
      expect(await stranger.client.call(guessed)).toMatchObject({ status: 404, code: '40403' });
    },
    openPhoto: async () => {
      expect((await stranger.client.fetchBytes(owned.photoUrl)).status).toBe(200);
      const guessed = owned.photoUrl.replace(/\/photos\/.{4}/, '/photos/AAAA');
      expect(await stranger.client.call(guessed)).toMatchObject({ status: 404, code: '40403' });
    },
  };
}
