import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import { laterOutbox } from '@parcelway/mongo/testing/later-outbox';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import type { IntakeEvent } from '../expected/domain/event.ts';
import { collectPublications } from '../testing/collect-publications.ts';
import { mongoCollections, openMongo, unsteady } from '../testing/mongo-intake.ts';
import { accept, acceptedForecast, intakeEvent, NOW } from '../testing/samples.ts';
import type { IntakeStore } from './ports.ts';
import { events } from './report-collections.ts';

// Thousands of writes, each confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

let opened: TestDatabase;
let replicas: readonly [IntakeStore, IntakeStore, IntakeStore];
beforeAll(async () => {
  opened = await openTestDatabase(mongoCollections);
  const databases = [opened.database, await opened.second(), await opened.second()] as const;
  const open = (index: 0 | 1 | 2): IntakeStore => openMongo(unsteady(databases[index], 4), systemClock).intake;
  replicas = [open(0), open(1), open(2)];
});
afterEach(() => opened.clear());
afterAll(() => opened.close());

/** Subject of each publication ever written, by event id; fails when an event was published twice. */
async function publishedSubjects(): Promise<Map<string, string>> {
  const published = (await collectPublications(laterOutbox(opened.database, mongoCollection(events), systemClock))()).map(decodeEvent);
  const idOf = (event: DomainEvent): string => (event.data as { readonly event_id: string }).event_id;
  const subjects = new Map(published.map((event) => [idOf(event), event.subject]));
  expect(published).toHaveLength(subjects.size);
  return subjects;
}

/** Nothing waits, and nothing was left for the recovery to do. */
async function expectAllDone(): Promise<void> {
  expect(await replicas[0].unclaimed(10)).toEqual([]);
  expect(await replicas[0].resume(Number.MAX_SAFE_INTEGER, 10)).toEqual({ resumed: 0, published: 0 });
}

describe('three replicas', () => {
  const batch = (): IntakeEvent[] =>
    Array.from({ length: 500 }, (_, index) => intakeEvent(index % 2 ? { forecastNo: 'FC1' } : { detail: { type: 'processing' } }));

  test('that get the same 500 events at once publish each once', async () => {
    await accept(replicas[0], acceptedForecast());
    const events = batch();
    const outcomes = await Promise.all(replicas.map((replica) => replica.record(events)));
    expect(outcomes.reduce((sum, outcome) => sum + outcome.accepted, 0)).toBe(500);
    expect(outcomes.reduce((sum, outcome) => sum + outcome.duplicates, 0)).toBe(1000);
    expect(outcomes.reduce((sum, outcome) => sum + outcome.published, 0)).toBe(500);
    expect(outcomes.flatMap((outcome) => outcome.conflicts)).toEqual([]);
    expect([...(await publishedSubjects()).keys()].sort()).toEqual(events.map((event) => event.eventId).sort());
    await expectAllDone();
  });

  test('that follow the same acceptance at once publish each of 500 waiting events once', async () => {
    const events = batch();
    await Promise.all(replicas.map((replica) => replica.record(events)));
    expect((await publishedSubjects()).size).toBe(0);
    const outcomes = await Promise.all(replicas.map((replica) => accept(replica, acceptedForecast())));
    expect(outcomes.reduce((sum, outcome) => sum + outcome.published, 0)).toBe(500);
    expect((await publishedSubjects()).size).toBe(500);
    await expectAllDone();
  });

  test('keep one of two different events with one id, and the others say so', async () => {
    const event = intakeEvent();
    const events = replicas.map((_, index) => ({ ...event, occurredAt: `2026-11-21T1${index}:00:00+08:00` }));
    const outcomes = await Promise.all(replicas.map((replica, index) => replica.record([events[index] as IntakeEvent])));
    expect(outcomes.map((outcome) => outcome.accepted).sort()).toEqual([0, 0, 1]);
    const kept = events[outcomes.findIndex((outcome) => outcome.accepted === 1)];
    expect(outcomes.flatMap((outcome) => outcome.conflicts)).toHaveLength(2);
    expect((await replicas[0].unclaimed(10)).map((parcel) => parcel.event)).toEqual([kept]);
  });

  test('that delete at once delete everything old, and nothing whose publication has not left', async () => {
    await accept(replicas[0], acceptedForecast());
    await replicas[0].record(Array.from({ length: 60 }, () => intakeEvent()));
    const tomorrow = Date.now() + 86_400_000;
    expect((await replicas[0].purge(tomorrow, 500)).deleted).toBe(0);
    expect((await publishedSubjects()).size).toBe(60);
    await Promise.all(replicas.map((replica) => replica.purge(tomorrow, 100)));
    expect((await replicas[0].purge(tomorrow, 100)).deleted).toBe(0);
  });
});

test('a scan that waits is released by a later naming event of a replica whose clock is behind', async () => {
  const clock = new ManualClock(NOW);
  const behind = openMongo(opened.database, clock).intake;
  const ahead = openMongo(await opened.second(), new ManualClock(NOW + 100)).intake;
  await accept(behind, acceptedForecast());
  await behind.record([intakeEvent()]);
  await accept(behind, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
  const naming = () => intakeEvent({ forecastNo: 'FC2', expressNo: 'SF12345678' });
  await behind.record([naming()]);
  const scan = intakeEvent();
  expect(await ahead.record([scan])).toMatchObject({ waiting: [{ reason: 'ambiguous' }] });
  clock.advance(1);
  expect(await behind.record([naming()])).toMatchObject({ published: 2 });
  expect((await publishedSubjects()).get(scan.eventId)).toBe('FC2');
});
