import { expect, test } from '@jest/globals';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData } from '@parcelway/contracts/domain-events';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW, TENANT } from '../../testing/samples.ts';
import type { ParcelFact } from '../domain/facts.ts';
import { createEventHandler, type FOLLOWED } from './events.ts';

type Followed = (typeof FOLLOWED)[number];

const eventOf = <T extends Followed>(type: T, data: object) => {
  const origin = { publisher: 'forecast', tenantId: TENANT, environment: 'sandbox', subject: 'FC1', time: NOW - 1000 } as const;
  return createDomainEvent({ type, ...origin, data: { ...named, ...data } as DomainEventData<T> });
};

const named = { forecast_no: 'FC1', po_number: 'PO-1' };
const forecast = { tenantId: TENANT, forecastNo: 'FC1', poNumber: 'PO-1' };
const dispatchedIn = (status: number) =>
  eventOf('forecast.dispatched', { status, carrier_code: 'dhl', tracking_number: 'JD1', dispatched_at: '2026-11-21T08:00:02.000Z' });

function setUp() {
  const recorded: (readonly ParcelFact[])[] = [];
  const expired: unknown[] = [];
  let wakes = 0;
  const handle = createEventHandler({
    async record(facts) {
      recorded.push(facts);
      return [];
    },
    clock: new ManualClock(NOW),
    wake: () => {
      wakes += 1;
    },
    expire: async (forecasts) => void expired.push(forecasts),
  });
  return { handle, recorded, expired, wakes: () => wakes };
}

const factOf = ({ time, id, data }: ReturnType<typeof dispatchedIn>, isCancelled = false) => ({
  type: 'dispatched',
  ...forecast,
  isCancelled,
  carrierCode: 'dhl',
  trackingNumber: 'JD1',
  sequence: `${time}/${id}`,
  at: NOW,
  dispatchedAt: Date.parse(data.dispatched_at),
  sealedDetails: undefined,
});

test('the dispatches of a batch are recorded together, in their order, and wake the poller once', async () => {
  const { handle, recorded, wakes } = setUp();
  const [shipped, cancelled] = [dispatchedIn(5), dispatchedIn(7)];
  await handle([shipped, cancelled]);
  expect(recorded).toEqual([[factOf(shipped), factOf(cancelled, true)]]);
  expect(wakes()).toBe(1);
});

test('expired forecasts end together, behind what else the batch says', async () => {
  const { handle, recorded, expired } = setUp();
  const over = eventOf('forecast.expired', { expired_at: '2027-11-21T08:00:00.000Z', files: [], photos: [] });
  const shipped = dispatchedIn(5);
  await handle([over, shipped]);
  await handle([over]);
  expect(recorded).toEqual([[factOf(shipped)]]);
  const one = { tenantId: forecast.tenantId, forecastNo: forecast.forecastNo };
  expect(expired).toEqual([[one], [one]]);
});
