import { describe, expect, test } from '@jest/globals';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { createReferenceStore } from '../testing/reference-store.ts';
import { acceptedForecast, dispatchOf, NOW, node, TENANT } from '../testing/samples.ts';
import type { ParcelFact } from './domain/facts.ts';
import { DEFAULT_SCHEDULE, parseSchedule } from './domain/schedule.ts';
import { pollShipment } from './poll-shipments.ts';
import type { DueShipment } from './ports.ts';
import { createRecordFacts } from './record-facts.ts';
import { createRefreshShipment } from './refresh-shipment.ts';

const MINUTE = 60_000;
const YEAR = 365 * 86_400_000;

/**
 * Polls a dispatched parcel once, over plain maps.
 * @param status of its only node; undefined for none
 * @param meanwhile happens while the carrier is asked
 * @returns what is due by a time, and how often parcels were changed
 */
async function poll(status: AdminStatus | undefined, meanwhile: readonly ParcelFact[] = []) {
  const store = createReferenceStore();
  const clock = new ManualClock(NOW);
  let changes = 0;
  const parcels: typeof store = {
    ...store,
    change(...args) {
      changes += 1;
      return store.change(...args);
    },
  };
  const record = createRecordFacts({ parcels, environment: 'sandbox', notify: () => undefined });
  await record([
    { type: 'accepted', ...acceptedForecast() },
    { type: 'dispatched', ...dispatchOf() },
  ]);
  const sources = {
    async ask() {
      if (meanwhile.length > 0) await record(meanwhile);
      changes = 0;
      return { nodes: status === undefined ? [] : [node(0, status)] };
    },
  };
  const refresh = createRefreshShipment({ sources, record, clock });
  const schedule = parseSchedule(DEFAULT_SCHEDULE);
  const telemetry = recordingTelemetry().of('tracking');
  const [due] = await store.lease(NOW, NOW + MINUTE, 1);
  await pollShipment(
    { queue: store, record, refresh, release: async () => undefined, schedule, clock, logger: silentLogger, telemetry, random: () => 0.5 },
    due as DueShipment,
  );
  return { changes, dueBy: async (now: number) => (await store.lease(now, now + 1, 1)).length };
}

describe('a poll of a carrier that says itself whether a status is final', () => {
  test.each([[undefined], ['In Transit']] as const)('comes again after the interval when the newest status is %s', async (status) => {
    const { dueBy } = await poll(status);
    expect(await dueBy(NOW + 15 * MINUTE - 1)).toBe(0);
    expect(await dueBy(NOW + 15 * MINUTE)).toBe(1);
  });

  test('ends the watch at a final status', async () => {
    const { dueBy } = await poll('Delivery Success');
    expect(await dueBy(NOW + YEAR)).toBe(0);
  });

  test('changes its parcel once', async () => {
    expect((await poll('In Transit')).changes).toBe(1);
    expect((await poll(undefined)).changes).toBe(1);
  });

  test('leaves the parcel due when there is news while the carrier is asked', async () => {
    const { dueBy } = await poll('In Transit', [{ type: 'news', tenantId: TENANT, forecastNo: 'FC1', furtherNumber: null, now: NOW }]);
    expect(await dueBy(NOW)).toBe(1);
  });
});
