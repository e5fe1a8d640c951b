import { randomBytes } from 'node:crypto';
import { topics } from '@parcelway/contracts/topics';
import { PLANTED } from '../kill/check-ledger.ts';

/** A message that no consumer can handle. */
export interface Poison {
  /** Begins with {@link PLANTED}, so that its dead letters differ from others. */
  readonly key: string;
  readonly value: Buffer | null;
  /** Code at the beginning of the reason of its dead letters. */
  readonly code: string;
}

const GARBAGE_BYTES = 900_000;

/** A known type on each topic; its data will be wrong. */
const typeOn: Readonly<Record<string, string>> = {
  [topics.forecast]: 'forecast.accepted',
  [topics.warehouse]: 'warehouse.weighed',
  [topics.tracking]: 'tracking.changed',
  [topics.warehouseIntake]: 'weighing',
};

/** An event in the form of the domain events; the intake takes it for a report, as it has a `type`. */
function event(over: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(
    JSON.stringify({
      specversion: '1.0',
      id: 'evt_planted',
      event_id: 'we-planted',
      source: '/services/outsider',
      subject: 'FC-planted',
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      tenantid: 'tnt_planted',
      environment: 'sandbox',
      data: { weight_kg: 'heavy' },
      ...over,
    }),
  );
}

/** One message of each kind for a topic. @param mark makes the keys distinct */
export function poisonFor(topic: string, mark: string): readonly Poison[] {
  const kinds: readonly (readonly [kind: string, value: Buffer | null, code: string])[] = [
    ['bad-json', Buffer.from('{"specversion":"1.0","id":"evt_'), '40001'],
    ['not-utf8', Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]), '40001'],
    ['null', null, '40001'],
    ['unknown-type', event({ type: 'parcel.teleported' }), '42201'],
    ['unknown-version', event({ specversion: '7.0', type: 'parcel.teleported' }), '42201'],
    ['wrong-schema', event({ type: typeOn[topic] }), '42201'],
    ['garbage', randomBytes(GARBAGE_BYTES), '40001'],
  ];
  return kinds.map(([kind, value, code]) => ({ key: `${PLANTED}${kind}-${mark}`, value, code }));
}
