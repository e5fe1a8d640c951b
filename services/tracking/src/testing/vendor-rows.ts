import type { SourceName } from '../sources/source.ts';

/** A vendor with codes of its own. */
export type CodedSource = Exclude<SourceName, 'generic'>;

/** Every {@link CodedSource}. */
export const codedSources = ['17track', 'aftership', 'easypost', 'ups', 'dhl', 'yunexpress'] as const satisfies readonly CodedSource[];

/** A row of a vendor, as short as a table has it. */
export interface VendorRow {
  /**
   * 17TRACK: the sub-status. AfterShip: the subtag, or the tag alone. Both with the stage or tag beside it as `Exception_004@Delivered`. EasyPost: `status` or `status/detail`. UPS: `type`, with a code or a status code behind it, or both.
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
  const [type = '', ...subs] = code.split(' ');
  const [statusCode = '', sub = ''] = [subs.find((one) => /^\d{3}$/.test(one)), subs.find((one) => !/^\d{3}$/.test(one))];
  const status = { type, code: sub, statusCode, description: text };
  const [date = '', time = ''] = at.replaceAll(/[-:]/g, '').split('T');
  return { date, time, gmtDate: date, gmtTime: time, gmtOffset: '+00:00', status };
}

/** A row in the words of a vendor. */
const rowOf: Readonly<Record<CodedSource, (row: TimedRow) => object>> = {
  '17track'({ code, text, at }) {
    const [subStatus, stage = null] = code.split('@');
    return { time_iso: `${at}+00:00`, description: text, stage, sub_status: subStatus };
  },
  aftership({ code, text, at }) {
    const [subtag = '', tag = subtag.split('_')[0]] = code.split('@');
    return { tag, subtag: subtag.includes('_') ? subtag : null, message: text, checkpoint_time: `${at}Z` };
  },
  easypost({ code, text, at }) {
    const [status, detail = null] = code.split('/');
    return { status, status_detail: detail, message: text, datetime: `${at}Z` };
  },
  ups: activityOfUps,
  dhl: ({ code, text, at }) => ({ timestamp: `${at}+00:00`, statusCode: code, status: text }),
  yunexpress: ({ code, text, at }) => ({ process_utc_time: at, track_node_code: code, process_content: text }),
};

/** Those that list the newest row first. */
const newestFirst: ReadonlySet<CodedSource> = new Set(['17track', 'ups', 'dhl']);

/**
 * The parcel {@link NUMBER} with these rows, as `translate` of its source takes it.
 * @param rows the list of rows, or whatever is in its place
 * @param more further fields of the parcel, such as `is_return` of EasyPost
 */
export function rawParcel(source: CodedSource, rows: unknown, more: object = {}): unknown {
  const raw: Readonly<Record<CodedSource, object>> = {
    '17track': { tracking: { providers: [{ provider: { key: 3011, name: 'China Post' }, events: rows }] } },
    aftership: { tracking_number: NUMBER, checkpoints: rows },
    easypost: { object: 'Tracker', tracking_code: NUMBER, tracking_details: rows },
    ups: { trackingNumber: NUMBER, activity: rows },
    dhl: { id: NUMBER, service: 'express', events: rows },
    yunexpress: { waybill_number: NUMBER, track_events: rows },
  };
  return { ...raw[source], ...more };
}

/** Rows in the words of a vendor, in its order. @param rows oldest first */
export function rawRows(source: CodedSource, rows: readonly VendorRow[]): Record<string, unknown>[] {
  const list = rows.map(({ code, text = 'Scan' }, index) => {
    const at = new Date(FIRST + index * HOUR_MS).toISOString().slice(0, 19);
    return rowOf[source]({ code, text, at }) as Record<string, unknown>;
  });
  return newestFirst.has(source) ? list.reverse() : list;
}

/** What a vendor says of the parcel {@link NUMBER}. @param rows oldest first */
export function rawTrace(source: CodedSource, rows: readonly VendorRow[], more: object = {}): unknown {
  return rawParcel(source, rawRows(source, rows), more);
}
