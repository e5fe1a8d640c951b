import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { dumpOf } from '@parcelway/mongo/testing/mongo-dump';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeExpiredForecasts } from '../expired-forecasts.conformance.ts';
import { collectPublications } from '../testing/collect-publications.ts';
import { accept, acceptedForecast, intakeEvent, NOW } from '../testing/samples.ts';
import { intakeCollections } from './mongo-collections.ts';
import { openMongoStores } from './mongo-stores.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

const open = (clock: ManualClock) => {
  const intake = openMongoStores(opened.database, clock).intake;
  return {
    intake,
    view: openMongoStores(opened.database, clock, false).view,
    expired: openMongoStores(opened.database, clock).expired,
    publish: collectPublications(intake.outbox),
    dump: () => dumpOf(opened.database, intakeCollections),
    close: () => opened.clear(),
  };
};
describeExpiredForecasts('MongoDB', async (clock) => open(clock));

test('a report whose message is not published yet stays until it is', async () => {
  const { intake, expired, publish, dump, close } = open(new ManualClock(NOW));
  await accept(intake, acceptedForecast({ forecastNo: 'FC1', trackingNumbers: ['LP1'] }));
  await intake.record([intakeEvent({ eventId: 'late', expressNo: 'LP1' })]);
  const { tenantId } = acceptedForecast();
  await expect(expired.drop([{ tenantId, forecastNo: 'FC1' }])).rejects.toMatchObject({ code: '50301' });
  expect(await dump()).toContain('late');
  await publish();
  await expired.drop([{ tenantId, forecastNo: 'FC1' }]);
  expect(await dump()).not.toContain('late');
  await close();
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
