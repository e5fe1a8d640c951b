import { expect } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf } from '@parcelway/harness/sample-data';
import type { Cases, Neighbours } from './neighbours.ts';

/** Files and photos of others. */
export function fileCases(neighbours: Neighbours): Cases {
  const { stage, owner, stranger, otherWarehouse, owned } = neighbours;

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
    uploadPhoto: async () => {
      const photo = await stage.clerk.photo();
      const event = otherWarehouse.weighing({ express_no: newPoNumber('EXP'), photo_ids: [photo.photo_id] });
      expect((await otherWarehouse.post(event)).data.rejected).toEqual([expect.objectContaining({ code: '40403' })]);
    },
  };
}
