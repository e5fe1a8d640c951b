import type { ServerRow, ServerStage } from './source-server.ts';

/** What EasyPost writes of a stage: `status` and `status_detail`. It has no code for the customs. */
const codes: Readonly<Record<ServerStage, readonly [status: string, detail: string]>> = {
  'info received': ['pre_transit', 'label_created'],
  'picked up': ['in_transit', 'received_at_origin_facility'],
  'in transit': ['in_transit', 'arrived_at_facility'],
  customs: ['in_transit', 'status_update'],
  'out for delivery': ['out_for_delivery', 'out_for_delivery'],
  'attempt failed': ['in_transit', 'delivery_exception'],
  exception: ['failure', 'failure'],
  returning: ['return_to_sender', 'return'],
  delivered: ['delivered', 'arrived_at_destination'],
};

/** Names of the two carriers of a parcel. */
const sources = { 1: 'Yanwen', 2: 'USPS' } as const;

/** Time of a row. Where EasyPost does not know the zone, it writes the carrier's clock with `Z`. */
function timeOf({ at, hasZone = true }: ServerRow): string | null {
  if (at === null) return null;
  const local = at.slice(0, 19);
  return hasZone
    ? local +
        at
          .slice(local.length)
          .replace(/^\.\d+/, '')
          .replace('Z', '+00:00')
    : `${local}Z`;
}

function detailOf(row: ServerRow): object {
  const [status, detail] = codes[row.stage];
  return {
    object: 'TrackingDetail',
    message: row.text ?? row.stage,
    description: '',
    status,
    status_detail: row.code ?? detail,
    datetime: timeOf(row),
    source: sources[row.leg ?? 1],
    carrier_code: '',
    tracking_location: { object: 'TrackingLocation', city: row.city ?? null, state: null, country: row.country ?? null, zip: null },
  };
}

/** Oldest first; a row without a time stays behind the one it was added after. */
function oldestFirst(rows: readonly ServerRow[]): ServerRow[] {
  let last = Number.NEGATIVE_INFINITY;
  const placed = rows.map((row) => {
    last = row.at === null ? last : Date.parse(row.at);
    return { row, instant: last };
  });
  return placed.sort((a, b) => a.instant - b.instant || 0).map(({ row }) => row);
}

/** What a Tracker is made of. */
export interface TrackerFacts {
  readonly id: string;
  readonly trackingCode: string;
  readonly carrier: string;
  /** Of all parcels that had the number. */
  readonly rows: readonly ServerRow[];
}

/** A Tracker. Its weight is a whole number that EasyPost writes as a fraction; see {@link writeTracker}. */
export function trackerOf({ id, trackingCode, carrier, rows }: TrackerFacts): object {
  const details = oldestFirst(rows);
  const newest = details.at(-1);
  const [status, detail] = newest === undefined ? ['unknown', 'unknown'] : codes[newest.stage];
  return {
    id,
    object: 'Tracker',
    mode: 'production',
    tracking_code: trackingCode,
    status,
    status_detail: newest?.code ?? detail,
    created_at: '2026-11-20T09:00:00Z',
    updated_at: '2026-11-26T09:00:00Z',
    signed_by: null,
    weight: 136,
    est_delivery_date: null,
    shipment_id: null,
    carrier,
    tracking_details: details.map(detailOf),
    carrier_detail: null,
    finalized: false,
    is_return: false,
    public_url: 'https://track.easypost.com/invented',
    fees: [],
  };
}

/** JSON as EasyPost writes it: a weight of 136 is `136.0`, which nobody's JSON.stringify writes. */
export function writeTracker(json: object): string {
  return JSON.stringify(json).replaceAll('"weight":136,', '"weight":136.0,');
}
