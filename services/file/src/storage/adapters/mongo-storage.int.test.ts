import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { fileCollections } from '../../adapters/mongo-schema.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { describeStoredContents } from '../stored-contents.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(fileCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeStoredContents('MongoDB', async () => ({
  ...openMongoStores(opened.database, shownNumbers),
  close: () => opened.clear(),
}));

test('a page is read from its index alone, and the next tenant with a step or two', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
  const profile = opened.database.connection.db?.collection('system.profile');
  const reads = (await profile?.find({ 'command.hint': { $in: ['stored_pdfs', 'stored_photos'] } }).toArray()) ?? [];
  expect(reads.filter((read) => read['nreturned'] > 0).length).toBeGreaterThan(10);
  for (const read of reads) {
    expect([read['docsExamined'], read['hasSortStage'] ?? false]).toEqual([0, false]);
    expect(read['keysExamined']).toBeLessThanOrEqual(read['nreturned'] + 2);
  }
  const skips = (await profile?.find({ 'command.find': 'usage_days', 'command.hint': 'day' }).toArray()) ?? [];
  expect(skips.length).toBeGreaterThan(3);
  for (const skip of skips) expect([skip['docsExamined'], skip['keysExamined'] <= 2]).toEqual([0, true]);
});
