import { decideTogether } from '@parcelway/store/in-turn';
import type { Store, Write } from '@parcelway/store/store';
import { contentsOf } from '../contents/content-records.ts';
import { contents } from '../contents/contents-collection.ts';
import { endContents, endDocuments } from '../contents/end-contents.ts';
import { decideCancellation, decideEnd, decideImages, decideVersion } from './decide-files.ts';
import { forecastFiles, unknownForecast } from './forecast-files-collection.ts';
import { endPhotos, photosOf, unlinkPhotos } from './photo-links.ts';
import { photoUses } from './photo-uses-collection.ts';
import { type FileRetention, refusedReport } from './ports.ts';
import { changeFiles } from './settle-contents.ts';

/**
 * Keeps which forecasts have which files. A change is one decision: the forecast and the PDFs or own images of its tenant are written together, so that a
 * forecast never names a PDF that its tenant deletes at the same moment. Photos belong to warehouses, and lie on other shards: their steps have an order.
 */
export function createFileRetention(store: Store): FileRetention {
  return {
    async noteUses(named, now) {
      // The first version of a forecast without files: nothing to note, and nothing noted before.
      if (named.files.length === 0 && named.version === 1) return;
      await changeFiles(store, named, now, (before) => decideVersion(before, named));
    },
    noteCancelled: (tenantId, forecastNo, now) => changeFiles(store, { tenantId, forecastNo }, now, decideCancellation),
    noteImages: (own, now) => changeFiles(store, own, now, (before) => decideImages(before, own, now)),
    async notePhotos(links) {
      const { tenantId, forecastNo, photos } = links;
      if (photos.length === 0) return;
      await store.apply(photos.map((token): Write => ({ in: photoUses, insert: { tenantId, forecastNo, token } })));
      // Looked up after the write, as a deletion or a refusal is noted before the links go: one sees the other.
      const refusal = refusedReport(links);
      const over = (
        await store.read(forecastFiles, [
          [tenantId, refusal],
          [tenantId, forecastNo],
        ])
      ).filter(({ value }) => value.deletedAt !== undefined);
      if (over.some(({ value }) => value.forecastNo === refusal)) await unlinkPhotos(store, tenantId, forecastNo, photos);
      else if (over.length > 0) await endPhotos(store, tenantId, forecastNo, photos);
    },
    async noteRefused(refused, now) {
      const { tenantId, forecastNo, photos } = refused;
      const report = { ...unknownForecast(tenantId, refusedReport(refused)), deletedAt: now };
      await store.apply([{ in: forecastFiles, insert: report }]);
      await unlinkPhotos(store, tenantId, forecastNo, photos);
    },
    async endFiles(ended, now) {
      const { tenantId, forecastNo, photos, forecast } = ended;
      for (let isOver = false; !isOver; ) {
        await changeFiles(store, ended, now, (before) => {
          const decision = decideEnd(before, ended, now);
          isOver = decision.after.used.length === 0;
          return decision;
        });
      }
      await endDocuments(store, tenantId, forecastNo);
      const noted = forecast === 'kept' ? [] : await photosOf(store, tenantId, forecastNo);
      await endPhotos(store, tenantId, forecastNo, [...new Set([...photos, ...noted])]);
    },
    async noteUpload(tenantId, token) {
      let isShown = false;
      await decideTogether(store, tenantId, async () => {
        const [file] = await contentsOf(store, [token]);
        isShown = file?.value.ownerId === tenantId && file.value.shownAt !== undefined;
        if (file?.value.unusedSince === undefined || !isShown) return [];
        return [{ in: contents, patch: file, set: { unusedSince: undefined } }];
      });
      return isShown;
    },
    async retireUnused(before, limit) {
      // One that is used, uploaded or shown again meanwhile has changed, and stays.
      const { items } = await store.find(contents.by.unused, { eq: [], to: before, limit });
      await endContents(store, items);
      return items.length;
    },
  };
}
