import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { MongoDocumentStore } from '../../adapters/mongo-document-store.ts';
import { contents, fileCollections } from '../../adapters/mongo-schema.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import type { NewDocuments } from '../../domain/forecast-documents.ts';
import { orderOf } from '../../testing/document-content.ts';
import { deletedForecasts } from './mongo-retention-schema.ts';

const TENANT = 'tnt_1';
const FORECAST = 'F1';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(fileCollections);
});
beforeEach(() => opened.clear());
afterAll(() => opened.close());

const open = () => openMongoStores(opened.database, shownNumbers, systemClock);

function documentsOf(version: number): NewDocuments {
  const tokens = { labelToken: `label v${version}`, slipToken: `slip v${version}` };
  const sections = { labelEnd: 1, copiesEnd: null, slipStart: 1, size: 2 };
  return { forecastNo: FORECAST, version, storageKey: `document/${version}`, ...tokens, ...sections, generatedAt: 1000 + version };
}

async function record(documents: MongoDocumentStore, version: number): Promise<boolean> {
  await open().store.begin(TENANT, `document/${version}`, 1);
  return documents.recordDocuments(TENANT, documentsOf(version), { topic: 't', key: 'k', value: `v${version}` });
}

/** An object with other properties in place of some. */
function instead<T extends object>(object: T, properties: object): T {
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(key in properties ? properties : target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Documents as a process records them that ends right after the record was written.
 * @param meanwhile what others do before it writes
 */
async function endingAfterRecord(meanwhile: () => Promise<unknown>): Promise<MongoDocumentStore> {
  const { database } = opened;
  const { outbox } = open();
  // Its relay runs.
  await outbox.lease(1);
  const ended = () => AppError.unavailable('the process was killed');
  const findOne = async (): Promise<null> => {
    throw ended();
  };
  const find = () => ({
    async toArray() {
      throw ended();
    },
  });
  const model = database.model(contents);
  const { collection } = model;
  const updateOne = async (...given: Parameters<typeof collection.updateOne>) => {
    await meanwhile();
    return collection.updateOne(...given);
  };
  const models = new Map<unknown, object>([
    [deletedForecasts, { collection: { findOne } }],
    [contents, instead(model, { collection: instead(collection, { updateOne, find }) })],
  ]);
  return new MongoDocumentStore(
    instead(database, { model: (...[one]: Parameters<MongoDatabase['model']>) => models.get(one) ?? database.model(one) }),
    outbox,
  );
}

test('documents of a forecast that is deleted while a process records them and ends are retired by who repeats the order', async () => {
  const { orders, documents, retention, store } = open();
  await orders.put(orderOf({ tenantId: TENANT, forecastNo: FORECAST, version: 1 }), 1);
  expect(await orders.lease(TENANT, 1, 100)).toBeDefined();
  const end = () => retention.endFiles({ tenantId: TENANT, forecastNo: FORECAST, files: [], photos: [], forecast: 'deleted' }, 50);
  await expect(record(await endingAfterRecord(end), 1)).rejects.toMatchObject({ code: '50301' });
  expect(await documents.documentsByToken('label v1')).toBeDefined();
  const again = await orders.lease(TENANT, 100, 200);
  if (again === undefined) throw new Error('Nobody repeats the order');
  expect(await documents.hasDocuments(TENANT, FORECAST, 1)).toBe(true);
  await orders.finish(again);
  expect([await documents.documentsByToken('label v1'), await documents.documentsByToken('slip v1')]).toEqual([undefined, undefined]);
  expect(await store.claim(0, 10)).toEqual([{ ownerId: TENANT, storageKey: 'document/1' }]);
  expect(await orders.count()).toBe(0);
});

test('a version that was recorded behind a newer one by a process that ended is superseded with the next version', async () => {
  const { documents } = open();
  await expect(record(await endingAfterRecord(() => record(documents, 2)), 1)).rejects.toMatchObject({ code: '50301' });
  expect(await record(documents, 3)).toBe(true);
  const supersededBy = async (version: number) => (await documents.documentsByToken(`label v${version}`))?.documents.supersededBy;
  expect([await supersededBy(1), await supersededBy(2), await supersededBy(3)]).toEqual([3, 3, null]);
  expect(await documents.retireSuperseded(2000, 10)).toBe(2);
});
