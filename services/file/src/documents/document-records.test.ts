import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openStores } from '../testing/open-stores.ts';
import type { StoredDocuments } from './domain/forecast-documents.ts';

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

describe('records of documents', () => {
  let stores: ReturnType<typeof openStores>;
  beforeEach(() => {
    stores = openStores();
  });
  afterEach(() => stores.close());

  async function record(documents: StoredDocuments): Promise<boolean> {
    await stores.store.begin(TENANT, documents.storageKey, 1);
    return stores.documents.recordDocuments(TENANT, documents);
  }
  const find = (version: number, tenantId = TENANT) => stores.documents.findDocuments(tenantId, 'FC1', version);

  test('are found as they were recorded, by tenant, forecast and version', async () => {
    expect([await record(documentsOf(1)), await record(documentsOf(2))]).toEqual([true, true]);
    expect([await find(1), await find(2)]).toEqual([documentsOf(1), documentsOf(2)]);
    expect([await find(3), await find(1, 'tnt_2')]).toEqual([undefined, undefined]);
    expect(await stores.store.claim(1000, 10)).toEqual([]);
  });

  test('of one version are recorded once; the content of the second is left to its caller', async () => {
    expect([await record(documentsOf(1)), await record(documentsOf(1, 'document/late'))]).toEqual([true, false]);
    expect(await find(1)).toEqual(documentsOf(1));
    expect(await stores.store.abandon(TENANT, 'document/late')).toBe(true);
  });

  test('of versions far back end, and their contents are swept', async () => {
    for (const version of [1, 2, 12]) await record(documentsOf(version));
    expect([await find(1), await find(2), await find(12)]).toEqual([undefined, undefined, documentsOf(12)]);
    const keys = (await stores.store.claim(0, 10)).map(({ storageKey }) => storageKey).sort();
    expect(keys).toEqual(['document/1', 'document/2']);
  });

  test('whose content the sweep has claimed are not recorded', async () => {
    await stores.store.begin(TENANT, 'document/1', 1);
    await stores.store.claim(1000, 10);
    await expect(stores.documents.recordDocuments(TENANT, documentsOf(1))).rejects.toMatchObject({ code: '50301' });
    expect(await find(1)).toBeUndefined();
  });
});
