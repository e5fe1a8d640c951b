import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewDocuments } from '../domain/forecast-documents.ts';
import type { DocumentStore, FileStore } from '../ports.ts';

/** A store of documents under test, and the other stores of the same database. */
export interface DocumentStoreDriver {
  readonly documents: DocumentStore;
  readonly uploads: Pick<FileStore, 'begin' | 'abandon' | 'claim'>;
  /** Values of the messages that wait in the outbox. */
  outbox(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const TENANT = 'tnt_1';
const message = (value: string) => ({ topic: 'file.events.v1', key: `${TENANT}/FC1`, value });

function documentsOf(version: number, storageKey = `document/${version}`, forecastNo = 'FC1'): NewDocuments {
  const tokens = { labelToken: `label of ${forecastNo} v${version}`, slipToken: `slip of ${forecastNo} v${version}` };
  const sections = { labelEnd: 10, copiesEnd: version === 2 ? null : 12, slipStart: 12, size: 20 };
  return { forecastNo, version, storageKey, ...tokens, ...sections, generatedAt: 1000 + version };
}

/**
 * What every driver of the store of documents must do.
 * @param open a driver with an empty store
 */
export function describeDocumentStore(name: string, open: () => Promise<DocumentStoreDriver>): void {
  describe(`document store: ${name}`, () => {
    let driver: DocumentStoreDriver;
    let documents: DocumentStore;
    beforeEach(async () => {
      driver = await open();
      documents = driver.documents;
    });
    afterEach(() => driver.close());

    async function record(version: number, given = documentsOf(version)): Promise<boolean> {
      await driver.uploads.begin(TENANT, given.storageKey, 1);
      return documents.recordDocuments(TENANT, given, message(`v${version}`));
    }
    const supersededBy = async (version: number) => (await documents.documentsByToken(`label of FC1 v${version}`))?.documents.supersededBy;

    test('records documents, their message and the end of the pending upload together', async () => {
      expect(await documents.hasDocuments(TENANT, 'FC1', 1)).toBe(false);
      expect(await record(1)).toBe(true);
      expect(await documents.hasDocuments(TENANT, 'FC1', 1)).toBe(true);
      expect(await documents.hasDocuments('tnt_2', 'FC1', 1)).toBe(false);
      const stored = { ...documentsOf(1), supersededBy: null };
      expect(await documents.documentsByToken('label of FC1 v1')).toEqual({ tenantId: TENANT, documents: stored, kind: 'label' });
      expect(await documents.documentsByToken('slip of FC1 v1')).toEqual({ tenantId: TENANT, documents: stored, kind: 'slip' });
      expect(await documents.documentsByToken('another')).toBeUndefined();
      expect(await driver.outbox()).toEqual(['v1']);
      expect(await driver.uploads.claim(9999, 10)).toEqual([]);
    });

    test('keeps the first documents of a version, and leaves the content of others to the sweep', async () => {
      await record(1);
      expect(await record(1, documentsOf(1, 'document/again'))).toBe(false);
      expect((await documents.documentsByToken('label of FC1 v1'))?.documents.storageKey).toBe('document/1');
      expect(await driver.outbox()).toEqual(['v1']);
      expect(await driver.uploads.abandon(TENANT, 'document/again')).toBe(true);
      expect(await driver.uploads.claim(0, 10)).toEqual([{ ownerId: TENANT, storageKey: 'document/again' }]);
    });

    test('refuses a content that was abandoned', async () => {
      await driver.uploads.begin(TENANT, 'document/1', 1);
      await driver.uploads.abandon(TENANT, 'document/1');
      await expect(documents.recordDocuments(TENANT, documentsOf(1), message('v1'))).rejects.toMatchObject({ code: '50301' });
      expect([await documents.hasDocuments(TENANT, 'FC1', 1), await driver.outbox()]).toEqual([false, []]);
    });

    test('marks each version with the next one', async () => {
      for (const version of [1, 2, 3]) await record(version);
      expect([await supersededBy(1), await supersededBy(2), await supersededBy(3)]).toEqual([2, 3, null]);
      expect((await documents.documentsByToken('label of FC1 v2'))?.documents.copiesEnd).toBeNull();
      expect(await driver.outbox()).toEqual(['v1', 'v2', 'v3']);
    });

    test('stores a version that comes late as superseded, and does not publish it', async () => {
      await record(3);
      await record(1);
      await record(2);
      expect([await supersededBy(1), await supersededBy(2), await supersededBy(3)]).toEqual([2, 3, null]);
      expect(await driver.outbox()).toEqual(['v3']);
    });

    test('has no need of a version that is older than a recorded one', async () => {
      await record(2);
      expect([await documents.hasDocuments(TENANT, 'FC1', 1), await documents.hasDocuments(TENANT, 'FC1', 3)]).toEqual([true, false]);
      expect(await documents.hasDocuments(TENANT, 'FC2', 1)).toBe(false);
    });

    test('deletes superseded documents after their time, and leaves their content to the sweep', async () => {
      for (const version of [1, 2, 3]) await record(version);
      await record(1, documentsOf(1, 'document/other', 'FC2'));
      expect(await documents.retireSuperseded(1002, 10)).toBe(0);
      expect(await documents.retireSuperseded(2000, 1)).toBe(1);
      expect([await supersededBy(1), await supersededBy(2), await supersededBy(3)]).toEqual([undefined, 3, null]);
      expect(await documents.documentsByToken('slip of FC1 v1')).toBeUndefined();
      expect(await documents.retireSuperseded(2000, 10)).toBe(1);
      expect(await documents.retireSuperseded(2000, 10)).toBe(0);
      expect((await driver.uploads.claim(0, 10)).map(({ storageKey }) => storageKey).sort()).toEqual(['document/1', 'document/2']);
      expect(await documents.hasDocuments(TENANT, 'FC1', 1)).toBe(true);
      expect((await documents.documentsByToken('label of FC2 v1'))?.documents.supersededBy).toBeNull();
    });

    test('counts the time of a version that comes late from when it came', async () => {
      await record(3);
      await record(1, { ...documentsOf(1), generatedAt: 1010 });
      expect(await documents.retireSuperseded(1010, 10)).toBe(0);
      expect(await documents.retireSuperseded(1011, 10)).toBe(1);
    });

    test('keeps forecasts and tenants apart', async () => {
      await record(1);
      await record(2, documentsOf(2, 'document/other', 'FC2'));
      await driver.uploads.begin('tnt_2', 'document/theirs', 1);
      const theirs = { ...documentsOf(3, 'document/theirs'), labelToken: 'theirs', slipToken: 'their slip' };
      expect(await documents.recordDocuments('tnt_2', theirs, message('theirs'))).toBe(true);
      expect(await supersededBy(1)).toBeNull();
      expect([...(await driver.outbox())].sort()).toEqual(['theirs', 'v1', 'v2']);
    });
  });
}
