import { topics } from '@parcelway/contracts/topics';
import type { Clock } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import type { OpenStore } from '@parcelway/platform/open-store';
import type { Platform } from '@parcelway/platform/service';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { intakeCollections } from '../collections.ts';
import { createExpiredForecasts } from '../erasure/expired-forecasts.ts';
import { createTenantData } from '../erasure/tenant-data.ts';
import { Directory } from '../expected/directory-store.ts';
import { expected } from '../expected/expected-collection.ts';
import { NumberCounts } from '../expected/number-counts.ts';
import { createLoneSequence, createSharedSequence } from '../expected/view-sequence.ts';
import { View } from '../expected/view-store.ts';
import { createAppliedReports, createEventOutcomes } from '../reports/event-reads.ts';
import { Intake } from '../reports/intake-store.ts';
import { createRejections } from '../reports/rejections.ts';
import type { IntakeConfig } from './intake-config.ts';

/** Everything that the service stores, over one database. */
export type IntakeStores = Awaited<ReturnType<typeof openIntakeStores>>;

/** The stores over an open database. @param keepsChanges records changes of the view for systems outside the platform @param isErased see Directory */
export function storesOf(
  { store, serverTime }: Pick<OpenStore, 'store' | 'serverTime'>,
  clock: Clock,
  keepsChanges: boolean,
  isErased?: (tenantId: string) => boolean,
) {
  const counts = new NumberCounts(store, clock);
  const sequence = serverTime === undefined ? createLoneSequence(store, clock) : createSharedSequence(store, serverTime);
  const directory = new Directory({ store, counts, sequence, clock, keepsChanges, isErased });
  return {
    store,
    intake: new Intake({ store, directory, clock }),
    counts,
    directory,
    outcomes: createEventOutcomes(store, directory, clock),
    rejections: createRejections(store),
    reports: createAppliedReports(store),
    keys: createIdempotencyStore(store),
    view: new View(store, sequence),
    expired: createExpiredForecasts(store),
  };
}

/** Opens the stores. @param isErased see Directory */
export async function openIntakeStores(
  platform: Pick<Platform, 'openStore' | 'clock' | 'bus' | 'sealSecrets'>,
  { WAREHOUSE_TOPIC }: Pick<IntakeConfig, 'WAREHOUSE_TOPIC'>,
  isErased: (tenantId: string) => boolean,
) {
  const { clock, bus, sealSecrets } = platform;
  const opened = await platform.openStore('warehouse-intake', intakeCollections, expected);
  const { store, check, relay, relayApart, tenantData } = opened;
  const retract = async (forecastNos: readonly string[]): Promise<void> => {
    if (relayApart !== undefined) await bus.retract(topics.warehouseExpected, forecastNos);
  };
  return {
    ...storesOf(opened, clock, relayApart !== undefined && WAREHOUSE_TOPIC === 'on', isErased),
    tenantData: createTenantData({ store, tenantData, sealer: createTextSealer(sealSecrets), retract }),
    check,
    relay,
    relayApart,
  };
}
