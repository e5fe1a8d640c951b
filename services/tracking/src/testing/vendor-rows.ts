import type { SourceName } from '../sources/source.ts';

/** A vendor with codes of its own. */
export type CodedSource = Exclude<SourceName, 'generic'>;

/** Every {@link CodedSource}. */
export const codedSources = ['17track', 'aftership', 'easypost', 'ups', 'dhl', 'yunexpress'] as const satisfies readonly CodedSource[];

/** A row of a vendor, as short as a table has it. */
export interface VendorRow {
  /**
   * 17TRACK: the sub-status. AfterShip: the subtag, or the tag alone. EasyPost: `status` or `status/detail`. UPS: `type`, `type code` or `type status-code`.
   * DHL: the status code. YunExpress: the node code.
   */
  readonly code: string;
  /** What the vendor writes beside it; default `Scan`. */
  readonly text?: string | undefined;
}

/** The number of the parcel in {@link rawTrace}. */
export const NUMBER = '9901234567';

/** A row with its time, an hour after the row before it. */
interface TimedRow {
  readonly code: string;
  readonly text: string;
  /** `yyyy-MM-ddTHH:mm:ss`, in UTC. */
  readonly at: string;
}

const FIRST = Date.parse('2026-11-25T00:00:00Z');
const HOUR_MS = 3_600_000;

function activityOfUps({ code, text, at }: TimedRow): object {
  const [type = '', sub = ''] = code.split(' ');
  const isStatusCode = /^\d{3}$/.test(sub);
  const status = { type, code: isStatusCode ? '' : sub, statusCode: isStatusCode ? sub : '', description: text };
  const [date = '', time = ''] = at.replaceAll(/[-:]/g, '').split('T');
  return { date, time, gmtDate: date, gmtTime: time, gmtOffset: '+00:00', status };
}

const raw: Readonly<Record<CodedSource, (rows: readonly TimedRow[], more: object) => object>> = {
  '17track': (rows) => {
    const events = rows.map(({ code, text, at }) => ({ time_iso: `${at}+00:00`, description: text, stage: null, sub_status: code }));
    return { tracking: { providers: [{ provider: { key: 3011, name: 'China Post' }, events: events.reverse() }] } };
  },
  aftership: (rows) => ({
    tracking_number: NUMBER,
    checkpoints: rows.map(({ code, text, at }) => {
      const [tag] = code.split('_');
      return { tag, subtag: code.includes('_') ? code : null, message: text, checkpoint_time: `${at}Z` };
    }),
  }),
  easypost: (rows, more) => ({
    object: 'Tracker',
    tracking_code: NUMBER,
    ...more,
    tracking_details: rows.map(({ code, text, at }) => {
      const [status, detail = null] = code.split('/');
      return { status, status_detail: detail, message: text, datetime: `${at}Z` };
    }),
  }),
  ups: (rows) => ({ trackingNumber: NUMBER, activity: rows.map(activityOfUps).reverse() }),
  dhl: (rows, more) => {
    const events = rows.map(({ code, text, at }) => ({ timestamp: `${at}+00:00`, statusCode: code, status: text }));
    return { id: NUMBER, service: 'express', ...more, events: events.reverse() };
  },
  yunexpress: (rows) => ({
    waybill_number: NUMBER,
    track_events: rows.map(({ code, text, at }) => ({ process_utc_time: at, track_node_code: code, process_content: text })),
  }),
};

/**
 * What a vendor says of the parcel {@link NUMBER}, as `translate` of its source takes it.
 * @param rows oldest first
 * @param more further fields of the parcel, such as `is_return` of EasyPost
 */
export function rawTrace(source: CodedSource, rows: readonly VendorRow[], more: object = {}): unknown {
  const timed = rows.map(({ code, text = 'Scan' }, index) => ({
    code,
    text,
    at: new Date(FIRST + index * HOUR_MS).toISOString().slice(0, 19),
  }));
  return raw[source](timed, more);
}
