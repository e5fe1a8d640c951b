import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { BATCH } from '../../capacity/works.ts';
import { type Parcel, submissionWriter, weighingOf } from '../../parcels.ts';
import type { RawClient } from '../../raw-client.ts';
import type { Load } from './measure-load.ts';
import type { Rig } from './rig.ts';

const ARRIVE_WITHIN_MS = 30_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** What is submitted. */
export interface Submissions extends Pick<Load, 'perSecond' | 'count'> {
  readonly items: number;
  /** Label and packing list, for parcels that are dispatched later. */
  readonly pdf?: string;
}

/** Submissions; `parcels` collects what is accepted. */
export function submitting({ stage }: Rig, by: RawClient, { items, pdf, ...rate }: Submissions, parcels: Parcel[]): Load {
  const write = submissionWriter(stage.warehouseCode, items, pdf);
  return {
    ...rate,
    async act() {
      parcels.push(await by.post<Parcel>('/open/v1/forecasts', write()));
    },
    settle: () => stage.log.settled(),
  };
}

/** One weighing in each call, of parcels whose merchant gets a webhook: the last thing that follows. */
export function weighing({ stage, warehouse }: Rig, perSecond: number, parcels: readonly Parcel[]): Load {
  const { receiver, warehouseCode, log } = stage;
  return {
    perSecond,
    count: parcels.length,
    act: (index) => warehouse.send('POST', '/warehouse/v1/events', weighingOf(warehouseCode, parcels[index] as Parcel)),
    async settle() {
      const arrived = (): boolean => parcels.every(({ po_number }) => receiver.arrivedAt.has(po_number));
      await until(arrived, { within: ARRIVE_WITHIN_MS, what: 'all webhooks' });
      await log.settled();
    },
  };
}

/** {@link BATCH} weighings in each call. */
export function weighingInBatches({ stage, warehouse }: Rig, perSecond: number, parcels: readonly Parcel[]): Load {
  const { warehouseCode, log } = stage;
  const bodyOf = (index: number): string =>
    `{"events":[${parcels.slice(index * BATCH, (index + 1) * BATCH).map((parcel) => weighingOf(warehouseCode, parcel))}]}`;
  return {
    perSecond,
    count: Math.floor(parcels.length / BATCH),
    act: (index) => warehouse.send('POST', '/warehouse/v1/events', bodyOf(index)),
    settle: () => log.settled(),
  };
}

/** Weighings that the warehouse produces straight to the topic. */
export function weighingOnKafka({ stage }: Rig, perSecond: number, parcels: readonly Parcel[]): Load {
  const { warehouseCode, log } = stage;
  return {
    perSecond,
    count: parcels.length,
    act(index) {
      const parcel = parcels[index] as Parcel;
      return log.produce(topics.warehouseIntake, [{ key: parcel.forecast_no, value: weighingOf(warehouseCode, parcel) }]);
    },
    settle: () => log.settled(),
  };
}

/** Parcels handed to the simulated carrier; from then on they are polled. */
export function dispatching({ stage, warehouse }: Rig, perSecond: number, parcels: readonly Parcel[]): Load {
  return {
    perSecond,
    count: parcels.length,
    act(index) {
      const { forecast_no } = parcels[index] as Parcel;
      const event = {
        event_id: `bench-dispatch-${forecast_no}`,
        type: 'dispatch',
        occurred_at: new Date().toISOString(),
        warehouse_code: stage.warehouseCode,
        forecast_no,
        carrier_code: 'simulated',
        tracking_number: `BENCH${forecast_no.replace(/[^A-Za-z0-9]/g, '')}`,
      };
      return warehouse.send('POST', '/warehouse/v1/events', JSON.stringify(event), JSON_TYPE);
    },
    settle: () => stage.log.settled(),
  };
}

/** Lets the carrier deliver parcels, which ends their polls. */
export async function deliver({ stage, merchant }: Rig, perSecond: number, parcels: readonly Parcel[]): Promise<Load> {
  const published = await stage.log.appended(topics.tracking);
  return {
    perSecond,
    count: parcels.length,
    act(index) {
      const { po_number } = parcels[index] as Parcel;
      const step = { po_number, step: 'track', admin_status: 'Delivery Success', address: 'Berlin' };
      return merchant.send('POST', '/sandbox/v1/simulations', JSON.stringify(step));
    },
    async settle() {
      await stage.log.reaches(topics.tracking, published + parcels.length);
      await stage.log.settled();
    },
  };
}

/** The same GET again and again, of one path after the other. */
export function asking(by: RawClient, rate: Pick<Load, 'perSecond' | 'count'>, paths: readonly string[]): Load {
  return {
    ...rate,
    act: (index) => by.send('GET', paths[index % paths.length] as string, null),
    settle: async () => undefined,
  };
}
