import type { ServerRow, ServerStage } from './source-server.ts';

/** What 17TRACK writes of a stage: `stage`, which it often leaves out, and `sub_status`. */
const codes: Readonly<Record<ServerStage, readonly [stage: string | null, subStatus: string]>> = {
  'info received': ['InfoReceived', 'InfoReceived'],
  'picked up': ['PickedUp', 'InTransit_PickedUp'],
  'in transit': [null, 'InTransit_Other'],
  customs: [null, 'InTransit_CustomsProcessing'],
  'out for delivery': ['OutForDelivery', 'OutForDelivery_Other'],
  'attempt failed': [null, 'DeliveryFailure_NoBody'],
  exception: [null, 'Exception_Delayed'],
  returning: ['Returning', 'Exception_Returning'],
  delivered: ['Delivered', 'Delivered_Other'],
};

/** Names of the two carriers, as 17TRACK shows them. */
const providers = [
  { key: 3011, name: 'China Post', country: 'CN' },
  { key: 21051, name: 'USPS', country: 'US' },
] as const;

function addressOf({ city, country }: ServerRow): object {
  return {
    country: country ?? null,
    state: null,
    city: city ?? null,
    street: null,
    postal_code: null,
    coordinates: { longitude: null, latitude: null },
  };
}

/** `time_iso`, `time_utc` and `time_raw` of a row. Where the carrier names no zone, 17TRACK writes an offset all the same: it guesses one. */
function timesOf({ at, hasZone = true }: ServerRow): object {
  if (at === null) return { time_iso: null, time_utc: null, time_raw: { date: null, time: null, timezone: null } };
  const [, date = '', time = '', zone = ''] = /^(.{10})T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(at) ?? [];
  const offset = zone === 'Z' ? '+00:00' : zone;
  return {
    time_iso: `${date}T${time}${offset}`,
    time_utc: `${new Date(at).toISOString().slice(0, 19)}Z`,
    time_raw: { date, time, timezone: hasZone ? offset : null },
  };
}

function eventOf(row: ServerRow): object {
  const [stage, subStatus] = codes[row.stage];
  return {
    ...timesOf(row),
    description: row.text ?? row.stage,
    description_translation: null,
    location: [row.city, row.country].filter((part) => part !== undefined).join(', ') || null,
    stage: row.code === undefined ? stage : null,
    sub_status: row.code ?? subStatus,
    address: addressOf(row),
  };
}

/** Newest first; rows without a time are the last. */
function newestFirst(rows: readonly ServerRow[]): ServerRow[] {
  const instantOf = ({ at }: ServerRow): number => (at === null ? Number.NEGATIVE_INFINITY : Date.parse(at));
  return [...rows].reverse().sort((a, b) => instantOf(b) - instantOf(a) || 0);
}

function providerOf(index: 0 | 1, rows: readonly ServerRow[]): object {
  const { name } = providers[index];
  return {
    provider: { ...providers[index], alias: name, tel: null, homepage: null },
    service_type: null,
    latest_sync_status: rows.length === 0 ? 'Failure' : 'Success',
    latest_sync_time: '2026-11-24T06:10:00Z',
    provider_lang: 'en',
    provider_tips: null,
    events_hash: rows.length,
    events: rows.length === 0 ? null : newestFirst(rows).map(eventOf),
  };
}

/** The `track_info` of a parcel. Each of its carriers is a provider. */
export function trackInfoOf(rows: readonly ServerRow[]): object {
  const legs = ([0, 1] as const).map((index) => rows.filter(({ leg = 1 }) => leg === index + 1));
  const [newest] = newestFirst(rows);
  const subStatus = newest === undefined ? 'NotFound_Other' : (newest.code ?? codes[newest.stage][1]);
  return {
    shipping_info: {
      shipper_address: addressOf({ stage: 'in transit', at: null }),
      recipient_address: addressOf({ stage: 'in transit', at: null }),
    },
    latest_status: { status: subStatus.split('_', 1)[0], sub_status: subStatus, sub_status_descr: null },
    latest_event: newest === undefined ? null : eventOf(newest),
    time_metrics: { days_after_order: 1, days_of_transit: 1, days_of_transit_done: 0, days_after_last_update: 0 },
    milestone: [],
    misc_info: { risk_factor: 0, service_type: null, weight_raw: null, weight_kg: null },
    tracking: {
      providers_hash: rows.length,
      providers: ([0, 1] as const).flatMap((index) => (index === 1 && legs[1]?.length === 0 ? [] : [providerOf(index, legs[index] ?? [])])),
    },
  };
}
