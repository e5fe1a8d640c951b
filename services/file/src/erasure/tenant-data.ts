import type { Blobs } from '@parcelway/blobs/blobs';
import type { OpenStore } from '@parcelway/platform/open-store';
import type { Index } from '@parcelway/store/collection';
import { tenantKind } from '@parcelway/store/shared/tenant-kind';
import type { Store, Write } from '@parcelway/store/store';
import { contentsOf } from '../contents/content-records.ts';
import { type Content, contents } from '../contents/contents-collection.ts';
import { photoUses } from '../retention/photo-links.ts';

/** Contents that one step deletes. */
const AT_ONCE = 20;

type Shown = Readonly<Record<string, unknown>>;

function fileOf({ token, pdf }: Content): Shown {
  const { uploadedAt: uploaded_at, findings, ...rest } = pdf ?? {};
  return { ...rest, uploaded_at, token, findings: findings === undefined ? null : (JSON.parse(findings) as unknown) };
}

function imageOf({ token, photo }: Content): Shown {
  const { uploadedAt: uploaded_at, mediaType: media_type, photoId: _, ...rest } = photo ?? {};
  return { ...rest, media_type, uploaded_at, token };
}

const documentsOf = ({ forecastNo: forecast_no, version, sections }: Content): Shown => ({
  ...{ forecast_no, version, size: sections?.size, generated_at: sections?.generatedAt },
});

/** What the service stores about tenants, in its database and in the object store. @param kept what its collections keep */
export function createTenantData(store: Store, blobs: Blobs, kept: OpenStore['tenantData']) {
  const forget = async (found: readonly Content[]): Promise<void> => {
    await Promise.all(found.map(({ storageKey }) => blobs.delete(storageKey)));
  };
  /** The object first: a crash leaves a document whose object the repeat does not find. What is not recorded is left to the sweep of uploads. */
  const ofContents = (name: string, by: Index<Content>, record: (content: Content) => Shown, within: readonly string[] = []) =>
    tenantKind(store, { name, by, within, record, batch: AT_ONCE, before: (_tenantId, found) => forget(found) });

  const hasOthers = async (tenantId: string, token: string): Promise<boolean> =>
    (await store.groups(photoUses.by.token, { eq: [token], limit: 2 })).some(({ group }) => group !== tenantId);
  /**
   * Deletes photos, contents first. Those that are not there any more, and those that forecasts of other tenants have as well, are passed over.
   * @returns how many were deleted @throws AppError 50301; may be repeated
   */
  const erasePhotos = async (tenantId: string, tokens: readonly string[]): Promise<number> => {
    const own: string[] = [];
    for (const token of new Set(tokens)) if (!(await hasOthers(tenantId, token))) own.push(token);
    const photos = (await contentsOf(store, own)).filter(({ value }) => value.photo !== undefined);
    await forget(photos.map(({ value }) => value));
    const deletions = photos.map((photo): Write => ({ in: contents, delete: photo }));
    return (await store.apply(deletions)).filter(({ kind }) => kind === 'written').length;
  };
  return {
    ...kept({
      contents: [
        ofContents('files', contents.by.attachment, fileOf),
        ofContents('images', contents.by.stored, imageOf, ['image']),
        ofContents('documents', contents.by.documents, documentsOf),
      ],
      // With the photos that nobody else has, which no forecast may name any more.
      photo_uses: [
        tenantKind(store, {
          by: photoUses.by.forecast,
          record: null,
          batch: AT_ONCE,
          before: async (tenantId, uses) =>
            void (await erasePhotos(
              tenantId,
              uses.map(({ token }) => token),
            )),
        }),
      ],
    }),
    erasePhotos,
  };
}
