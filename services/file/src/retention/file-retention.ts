import type { Index } from '@parcelway/store/collection';
import { decideTogether } from '@parcelway/store/in-turn';
import type { Store, Write } from '@parcelway/store/store';
import { contentsOf, endContents, endDocuments } from '../contents/content-records.ts';
import { type Content, contents } from '../contents/contents-collection.ts';
import {
  type Decision,
  decideCancellation,
  decideEnd,
  decideImages,
  decideVersion,
  type EndedFiles,
  forecastWrites,
  type NamedFiles,
  type OwnImages,
  type PhotoLinks,
  pdfAfter,
  refusedReport,
} from './decide-files.ts';
import { type ForecastFiles, forecastFiles, unknownForecast } from './forecast-files-collection.ts';
import { endPhotos, photosOf, photoUses, unlinkPhotos } from './photo-links.ts';

export type FileRetention = ReturnType<typeof createFileRetention>;

/**
 * Keeps which forecasts have which files, and the end of files. A PDF may be used by several forecasts: it is unused once the last of them has ended, and its
 * content goes some time after that, unless it was used or uploaded again by then. A PDF that no forecast has ever used stays. A photo belongs to the forecasts
 * that it was reported of, and ends with the last of them. No note has an effect twice, nor behind a later one. Each method throws AppError 50301; then some of
 * it may have been done. A change is one decision: the forecast and the PDFs or own images of its tenant are written together, so that a
 * forecast never names a PDF that its tenant deletes at the same moment. Photos belong to warehouses, and lie on other shards: their steps have an order.
 */
export function createFileRetention(store: Store) {
  return {
    /** A forecast uses the PDFs that it names until its end, also those that a correction replaces: it goes on to show what they were. One that was deleted a moment ago is there again. */
    async noteUses(named: NamedFiles, now: number): Promise<void> {
      // The first version of a forecast without files: nothing to note, and nothing noted before.
      if (named.files.length === 0 && named.version === 1) return;
      await changeFiles(store, named, now, (before) => decideVersion(before, named));
    },
    /** The forecast names no PDF any more, and uses those that it named until its end. */
    noteCancelled: (tenantId: string, forecastNo: string, now: number) =>
      changeFiles(store, { tenantId, forecastNo }, now, decideCancellation),
    /** Keeps an image without a forecast for some time, so that it can be added to another one. An image that only a deleted forecast had ends at once. */
    noteImages: (own: OwnImages, now: number) => changeFiles(store, own, now, (before) => decideImages(before, own, now)),
    /** When the forecast was deleted already, photos that no other has end at once; when it refused the report already, nothing happens. */
    async notePhotos(links: PhotoLinks): Promise<void> {
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
    /** Remembers the refusal: the news of the report may still be on its way. The photos stay, as the report is matched again. */
    async noteRefused(refused: PhotoLinks, now: number): Promise<void> {
      const { tenantId, forecastNo, photos } = refused;
      const report = { ...unknownForecast(tenantId, refusedReport(refused)), deletedAt: now };
      await store.apply([{ in: forecastFiles, insert: report }]);
      await unlinkPhotos(store, tenantId, forecastNo, photos);
    },
    /** Documents and photos can no longer be opened, and PDFs that no other forecast uses are unused from now on. The sweep of uploads removes the contents. */
    async endFiles(ended: EndedFiles, now: number): Promise<void> {
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
    /** A PDF was uploaded again: it is not unused any more. One that was deleted stays so. @returns whether the tenant has it */
    async noteUpload(tenantId: string, token: string): Promise<boolean> {
      let isShown = false;
      await decideTogether(store, tenantId, async () => {
        const [file] = await contentsOf(store, [token]);
        isShown = file?.value.ownerId === tenantId && file.value.shownAt !== undefined;
        if (file?.value.unusedSince === undefined || !isShown) return [];
        return [{ in: contents, patch: file, set: { unusedSince: undefined } }];
      });
      return isShown;
    },
    /** Ends PDFs and own images that have been unused since before an instant, and PDFs that were deleted before it. @returns how many */
    async retireUnused(before: number, limit: number): Promise<number> {
      // One that is used, uploaded or shown again meanwhile has changed, and stays.
      const { items } = await store.find(contents.by.unused, { eq: [], to: before, limit });
      await endContents(store, items);
      return items.length;
    },
  };
}

/** True when a forecast has a token in a list after a decision: the one of the decision, or another. */
async function has(store: Store, by: Index<ForecastFiles>, own: readonly string[], token: string, { after }: Decision): Promise<boolean> {
  if (own.includes(token)) return true;
  const { items } = await store.find(by, { eq: [after.tenantId, token], limit: 2 });
  return items.some(({ value }) => value.forecastNo !== after.forecastNo);
}

/** @param since when its last use ended, in case it has none */
async function settledPdf(store: Store, content: Content, decision: Decision, since: number): Promise<Partial<Content>> {
  const { after } = decision;
  const { token = '' } = content;
  const isNamed = await has(store, forecastFiles.by.named, after.named, token, decision);
  const isUsed = await has(store, forecastFiles.by.used, after.used, token, decision);
  const set = pdfAfter(content, isNamed, isUsed ? undefined : since);
  if (set.digestOf === undefined) return set;
  // When its content was uploaded again meanwhile, that upload stays the one that is found.
  const { items } = await store.find(contents.by.digest, { eq: [after.tenantId, set.digestOf], limit: 1 });
  return items.length > 0 ? { ...set, digestOf: undefined } : set;
}

/** The writes of contents that follow from a decision. Each is written, also when nothing changes: that of another forecast may rest on it as well. */
async function contentWrites(store: Store, before: ForecastFiles, decision: Decision, now: number): Promise<readonly Write[]> {
  const { after, files = [], images = [], leftImage = {} } = decision;
  const writes: Write[] = [];
  for (const content of await contentsOf(store, [...new Set([...files, ...images])])) {
    const { token = '', ownerId, stored, pdf, unusedSince } = content.value;
    if (ownerId !== after.tenantId) continue;
    let set: Partial<Content>;
    // The time counts anew when a use ends.
    if (pdf && files.includes(token))
      set = await settledPdf(store, content.value, decision, before.used.includes(token) ? now : (unusedSince ?? now));
    else if (stored === 'image' && images.includes(token))
      set = (await has(store, forecastFiles.by.images, after.images, token, decision)) ? { unusedSince: undefined } : leftImage;
    else continue;
    const isChanged = Object.entries(set).some(([field, value]) => content.value[field as keyof Content] !== value);
    writes.push(isChanged ? { in: contents, patch: content, set } : { in: contents, touch: content });
  }
  return writes;
}

/**
 * Changes what a forecast has, and the contents that follow, all or none.
 * @param decide has no effects: it may run several times
 * @throws AppError 50301
 */
export function changeFiles(
  store: Store,
  { tenantId, forecastNo }: Pick<ForecastFiles, 'tenantId' | 'forecastNo'>,
  now: number,
  decide: (before: ForecastFiles) => Decision | undefined,
): Promise<void> {
  return decideTogether(store, tenantId, async () => {
    const known = await store.get(forecastFiles, [tenantId, forecastNo]);
    const before = known?.value ?? unknownForecast(tenantId, forecastNo);
    const decision = decide(before);
    if (decision === undefined) return [];
    const writes = [...forecastWrites(known, before, decision.after), ...(await contentWrites(store, before, decision, now))];
    return writes.some((write) => !('touch' in write)) ? writes : [];
  });
}
