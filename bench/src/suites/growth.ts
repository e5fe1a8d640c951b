import { until } from '@parcelway/kernel/testing/until';
import { closedLoopOf } from '../closed-loop.ts';
import { type Parcel, submissionWriter, submitParcels, weighingOf } from '../parcels.ts';
import { exactCpuMicrosecondsOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { onReceivingStage } from '../receiving-stage.ts';
import { rowOf } from '../report.ts';
import type { Suite } from '../suite.ts';

/** Parcels that the platform has at the two measurements. */
const SIZES = { full: [1_000, 20_000], quick: [500, 1_000] } as const;
const CONNECTIONS = 4;
/** Calls of an operation in one measurement. */
const CALLS = { full: 400, quick: 40 } as const;
/** Weighings in a report. */
const BATCH = 100;
const ARRIVE_WITHIN_MS = 600_000;

const FORECASTS = '/open/v1/forecasts';

/** What merchants and warehouses read, by the parcel that they look for. */
const reads: Readonly<Record<string, readonly [who: 'merchant' | 'warehouse', pathOf: (parcel: Parcel) => string]>> = {
  'Read a forecast': ['merchant', ({ po_number }) => `${FORECASTS}/${po_number}`],
  'Weighing query': ['merchant', ({ po_number }) => `${FORECASTS}/weighing?po_number=${po_number}`],
  'List forecasts': ['merchant', () => FORECASTS],
  'Search by status': ['merchant', () => `${FORECASTS}?status=WEIGHED`],
  'Search by number': ['merchant', ({ po_number }) => `${FORECASTS}?q=${po_number}`],
  'Search in vain': ['merchant', () => `${FORECASTS}?warehouse_code=NONE`],
  'Feed of events': ['merchant', () => '/open/v1/events'],
  "List a warehouse's forecasts": ['warehouse', () => '/warehouse/v1/forecasts'],
  'Look up a scan': ['warehouse', ({ forecast_no }) => `/warehouse/v1/lookup?scan=${forecast_no}`],
  'List unclaimed parcels': ['warehouse', () => '/warehouse/v1/unclaimed'],
};

/** What an operation costs with few and with many parcels: it must not grow with them. All parcels come through the API and are weighed. */
export const growth: Suite = (options) =>
  onReceivingStage(async ({ platform, warehouseCode, tenantKey, warehouseKey, client, receiver, settled }) => {
    const kind = options.scale.quick ? 'quick' : 'full';
    const clients: Readonly<Record<'merchant' | 'warehouse', RawClient>> = {
      merchant: client(tenantKey, CONNECTIONS),
      warehouse: client(warehouseKey, CONNECTIONS),
    };
    const parcels: Parcel[] = [];
    const fillTo = async (size: number): Promise<void> => {
      options.progress(`growth, ${size} parcels`);
      const added = await submitParcels(clients.merchant, warehouseCode, size - parcels.length);
      await settled();
      for (let first = 0; first < added.length; first += BATCH) {
        const events = added.slice(first, first + BATCH).map((parcel) => weighingOf(warehouseCode, parcel));
        await clients.warehouse.send('POST', '/warehouse/v1/events', `{"events":[${events}]}`);
      }
      const arrived = (): boolean => added.every(({ po_number }) => receiver.arrivedAt.has(po_number));
      await until(arrived, { within: ARRIVE_WITHIN_MS, everyMs: 500, what: 'all webhooks' });
      parcels.push(...added);
      await settled();
    };
    /** CPU time of one call, microseconds. */
    const costOf = async (call: (at: number) => Promise<void>): Promise<number> => {
      let at = 0;
      const before = exactCpuMicrosecondsOf(platform.pid);
      await closedLoopOf(CONNECTIONS, CALLS[kind], () => call(at++));
      await settled();
      return (exactCpuMicrosecondsOf(platform.pid) - before) / CALLS[kind];
    };
    const write = submissionWriter(warehouseCode);
    const measure = async (): Promise<ReadonlyMap<string, number>> => {
      const costs = new Map([['Submit a forecast', await costOf(() => clients.merchant.send('POST', FORECASTS, write()))]]);
      for (const [name, [who, pathOf]] of Object.entries(reads)) {
        const look = (at: number): Promise<void> => clients[who].send('GET', pathOf(parcels[(at * 7919) % parcels.length] as Parcel), null);
        costs.set(name, await costOf(look));
      }
      return costs;
    };
    const [few, many] = SIZES[kind];
    await fillTo(few);
    // What is called for the first time is not compiled yet.
    await measure();
    const before = await measure();
    await fillTo(many);
    const after = await measure();
    const about = { suite: 'growth', unit: 'µs', reference: `with ${few.toLocaleString('en-US')}`, better: 'lower' as const };
    return [...after].map(([name, ours]) =>
      rowOf({ ...about, name: `${name}, with ${many.toLocaleString('en-US')} parcels` }, [{ ours, reference: before.get(name) ?? 0 }]),
    );
  });
