import { MAX_COUNTED_USES, MAX_SHOWN_USES } from '@parcelway/contracts/own-files-api';
import { decideTogether } from '@parcelway/store/in-turn';
import type { Store } from '@parcelway/store/store';
import { toFile } from '../contents/content-records.ts';
import { contents, HIDDEN } from '../contents/contents-collection.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import { forecastFiles } from '../retention/forecast-files-collection.ts';
import type { HideOutcome, OwnFiles } from './ports.ts';

/** A tenant's own view of its files. */
export function createOwnFiles(store: Store): OwnFiles {
  const find = async (tenantId: string, attachmentId: number) =>
    (await store.find(contents.by.attachment, { eq: [tenantId, attachmentId], limit: 1 })).items[0];
  return {
    async list(tenantId, { isUsed, uploadedFrom, uploadedTo, after, limit }) {
      const page = {
        ...(uploadedFrom !== undefined && { from: uploadedFrom }),
        ...(uploadedTo !== undefined && { to: uploadedTo }),
        ...(after !== undefined && { after }),
        limit,
      };
      const { items, next } =
        isUsed === undefined
          ? await store.find(contents.by.shown, { eq: [tenantId], ...page })
          : await store.find(contents.by.shownByUse, { eq: [tenantId, isUsed ? 1 : 0], ...page });
      return { files: items.map(({ value }) => toFile(value) as StoredFile), next };
    },
    async find(tenantId, attachmentId) {
      const found = await find(tenantId, attachmentId);
      return found?.value.shownAt === undefined ? undefined : toFile(found.value);
    },
    async usesOf(tenantId, token) {
      const { items, next } = await store.find(forecastFiles.by.named, { eq: [tenantId, token], limit: MAX_SHOWN_USES });
      const uses = items.map(({ value: { forecastNo, poNumber, files } }) => ({
        forecastNo,
        poNumber,
        fields: files.find((file) => file.token === token)?.fields ?? [],
      }));
      if (next === null) return { uses, count: uses.length };
      return { uses, count: (await store.count(forecastFiles.by.named, { eq: [tenantId, token], most: MAX_COUNTED_USES })).count };
    },
    async hide(tenantId, attachmentId, now) {
      let outcome: HideOutcome = 'missing';
      await decideTogether(store, tenantId, async () => {
        const file = await find(tenantId, attachmentId);
        outcome = file === undefined ? 'missing' : 'hidden';
        if (file?.value.token === undefined || file.value.shownAt === undefined) return [];
        const { items: uses } = await store.find(forecastFiles.by.named, { eq: [tenantId, file.value.token], limit: 1 });
        // A forecast that names the file meanwhile writes the file, too.
        if (uses.length === 0) return [{ in: contents, patch: file, set: { ...HIDDEN, unusedSince: now } }];
        outcome = 'used';
        return [];
      });
      return outcome;
    },
  };
}
