import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DocumentRecords, FileStore } from '../../ports.ts';
import type { StoredDocuments } from '../domain/forecast-documents.ts';

/** Records of documents under test, and the other stores of the same database. */
export interface DocumentRecordsDriver {
  readonly documents: DocumentRecords;
  readonly uploads: Pick<FileStore, 'begin' | 'abandon' | 'claim'>;
  close(): Promise<void>;
}

const TENANT = 'tnt_1';
const documentsOf = (version: number, storageKey = `document/${version}`): StoredDocuments => ({
  forecastNo: 'FC1',
  version,
  storageKey,
  labelEnd: 10,
  copiesEnd: version === 2 ? null : 12,
  slipStart: 12,
  size: 20,
  generatedAt: 1000 + version,
});

/**
 * What every driver of the records of documents must do.
 * @param open a driver with an empty store
 */
export function describeDocumentRecords(name: string, open: () => Promise<DocumentRecordsDriver>): void {
  describe(`records of documents: ${name}`, () => {
    let driver: DocumentRecordsDriver;
    beforeEach(async () => {
      driver = await open();
    });
    afterEach(() => driver.close());

    async function record(documents: StoredDocuments): Promise<boolean> {
      await driver.uploads.begin(TENANT, documents.storageKey, 1);
      return driver.documents.recordDocuments(TENANT, documents);
    }
    const find = (version: number, tenantId = TENANT) => driver.documents.findDocuments(tenantId, 'FC1', version);

    test('are found as they were recorded, by tenant, forecast and version', async () => {
      expect([await record(documentsOf(1)), await record(documentsOf(2))]).toEqual([true, true]);
      expect([await find(1), await find(2)]).toEqual([documentsOf(1), documentsOf(2)]);
      expect([await find(3), await find(1, 'tnt_2')]).toEqual([undefined, undefined]);
      expect(await driver.uploads.claim(1000, 10)).toEqual([]);
    });

    test('of one version are recorded once; the content of the second is left to its caller', async () => {
      expect([await record(documentsOf(1)), await record(documentsOf(1, 'document/late'))]).toEqual([true, false]);
      expect(await find(1)).toEqual(documentsOf(1));
      expect(await driver.uploads.abandon(TENANT, 'document/late')).toBe(true);
    });

    test('of versions far back end, and their contents are swept', async () => {
      for (const version of [1, 2, 12]) await record(documentsOf(version));
      expect([await find(1), await find(2), await find(12)]).toEqual([undefined, undefined, documentsOf(12)]);
      const keys = (await driver.uploads.claim(0, 10)).map(({ storageKey }) => storageKey).sort();
      expect(keys).toEqual(['document/1', 'document/2']);
    });

    test('whose content the sweep has claimed are not recorded', async () => {
      await driver.uploads.begin(TENANT, 'document/1', 1);
      await driver.uploads.claim(1000, 10);
      await expect(driver.documents.recordDocuments(TENANT, documentsOf(1))).rejects.toMatchObject({ code: '50301' });
      expect(await find(1)).toBeUndefined();
    });
  });
}
