import type { ServiceName } from '@parcelway/contracts/service-name';
import type { Erasure } from '@parcelway/contracts/tenant-data-api';
import { nullable } from '@parcelway/contracts/text';
import { DEAD_LETTER_RETENTION_DAYS, EXPECTED_RETENTION_DAYS, TOPIC_RETENTION_DAYS, topics } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import Type from 'typebox';

const DAY_MS = 86_400_000;

/**
 * The time between the moment when every service has remembered the tenant and the first deletion. By then its keys are refused everywhere (5 s), every
 * process drops its facts (3 s), and what was published for systems outside is out (7.5 s).
 */
export const SETTLE_MS = 12_000;

/**
 * What the longest request takes once all of it has arrived: the gateway waits 30 s for a service, whose writes have 5 s each and are few. Uploads may take
 * longer: their records are refused once the tenant is remembered.
 */
const AFTER_ARRIVAL_MS = 60_000;

/**
 * The time between the moment when every service has remembered the tenant and the last look for data: a request that was admitted just before may have
 * written until then. What is on its way in logs and outboxes does not count: it is dropped.
 * @param requestMs how long a request may take to arrive
 */
export const lastLookAfter = (requestMs: number): number => requestMs + AFTER_ARRIVAL_MS;

const instant = nullable(Type.Integer());

/** Fields of an erasure. It has no personal data, so it is kept for ever. Instants are epoch milliseconds. */
export const erasureFields = {
  tenantId: Type.String(),
  startedAt: Type.Integer(),
  /** When every service had remembered the tenant; null before. */
  rememberedAt: instant,
  finishedAt: instant,
  /** What was deleted, by service and kind. */
  counts: Type.Record(Type.String(), Type.Number()),
  /** Dead letters that could not be deleted: older ones of others lie before them. */
  deadLettersLeft: Type.Integer(),
  /** Tries that failed in a row without deleting anything in between. */
  failures: Type.Integer(),
  /** Why the last of them failed, without personal data; null when there is none. */
  failure: nullable(Type.String()),
};
export type ErasureRecord = Type.Static<Type.TObject<typeof erasureFields>>;

const NO_FAILURE = { failures: 0, failure: null } as const;

/** A new erasure. */
export function beginErasure(tenantId: string, now: number): ErasureRecord {
  return { tenantId, startedAt: now, rememberedAt: null, finishedAt: null, counts: {}, deadLettersLeft: 0, ...NO_FAILURE };
}

/**
 * Restarts an erasure on request. A finished one starts over, as after a restore, and keeps its counts. A failed one runs at once,
 * without its failures.
 */
export function beginAgain(record: ErasureRecord): ErasureRecord {
  return { ...record, ...NO_FAILURE, ...(record.finishedAt !== null && { rememberedAt: null, finishedAt: null, deadLettersLeft: 0 }) };
}

/** The record after a step that has deleted something: it goes forward, whatever failed before. */
export function withCount(record: ErasureRecord, service: ServiceName, kind: string, count: number): ErasureRecord {
  const name = `${service}/${kind}`;
  return { ...record, ...NO_FAILURE, counts: { ...record.counts, [name]: (record.counts[name] ?? 0) + count } };
}

/** The record at its end. */
export function finished(record: ErasureRecord, deadLettersLeft: number, now: number): ErasureRecord {
  return { ...record, ...NO_FAILURE, deadLettersLeft, finishedAt: now };
}

const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 600_000;

/** When an erasure that failed is tried again, and others may go on until then. @param failures in a row, this one included */
export function retryAfter(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), MAX_RETRY_MS);
}

/** Why a try failed, as the record keeps it: the errors of the platform have no personal data, others may. */
export function failureOf(error: unknown): string {
  return error instanceof AppError ? `${error.message} (${error.code})` : 'Unexpected error: see the log of the gateway';
}

/** Where a dead letter is, and whose message it holds. */
export interface DeadLetterPlace {
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
}

/**
 * The dead letters of a tenant that can be deleted. A partition deletes its oldest ones only, so those behind one of another tenant stay.
 * @param places a page, oldest first within each partition
 * @param blockedBefore partitions blocked by the pages before
 * @returns also how many others the tenant has, which stay until they expire, and the partitions in which one of another tenant has come
 */
export function sortDeadLetters(tenantId: string, places: readonly DeadLetterPlace[], blockedBefore: ReadonlySet<number> = new Set()) {
  const blocked = new Set(blockedBefore);
  const deletable: DeadLetterPlace[] = [];
  let left = 0;
  for (const place of places) {
    const isOwn = place.key?.startsWith(`${tenantId}/`) === true;
    if (!isOwn) blocked.add(place.partition);
    else if (blocked.has(place.partition)) left += 1;
    else deletable.push(place);
  }
  return { deletable, left, blocked };
}

/** Dead letters that are still listed. @param until when the last of them expires */
function listedDeadLetters(count: number, until: string): Erasure['remains'] {
  const note = 'Older dead letters of others lie before them. Redrive or delete those, then run the erasure again';
  return count > 0 ? [{ what: `${count} dead letters`, until, note }] : [];
}

/** What an erasure does not delete: the rows of the table in docs/operate.md. */
function remainsOf(finishedAt: number, deadLettersLeft: number): Erasure['remains'] {
  const after = (days: number): string => isoInstant(finishedAt + days * DAY_MS);
  return [
    { what: 'messages in the log', until: after(TOPIC_RETENTION_DAYS), note: 'No service takes anything from them any more' },
    {
      what: `messages in ${topics.warehouseExpected}`,
      until: after(EXPECTED_RETENTION_DAYS),
      note: 'Distributed mode: each has a tombstone behind it and goes earlier, with the next compaction. The tombstones have forecast numbers only',
    },
    {
      what: 'messages in the dead-letter topics',
      until: after(DEAD_LETTER_RETENTION_DAYS),
      note: 'Also those that were deleted or redriven: the log keeps what they hold, and nobody processes it any more',
    },
    ...listedDeadLetters(deadLettersLeft, after(DEAD_LETTER_RETENTION_DAYS)),
    { what: 'interrupted uploads', until: null, note: 'The sweep of uploads removes them after FILE_ABANDONED_AFTER' },
    {
      what: 'reports of warehouses that found no forecast',
      until: null,
      note: 'They belong to no tenant and go after INTAKE_RETENTION_DAYS',
    },
    {
      what: 'backups',
      until: null,
      note: 'Delete backups that are older than this erasure. After a restore of one, run the erasure again',
    },
    { what: 'logs and traces', until: null, note: 'The operator keeps them: they have ids of tenants and forecasts' },
    {
      what: 'registrations of parcels at vendors of tracking data',
      until: null,
      note: 'The vendors keep them. Ask each vendor to delete them',
    },
    {
      what: 'what merchants and systems outside have received',
      until: null,
      note: 'The platform cannot delete it, such as webhooks and copies of messages',
    },
  ];
}

/** The instant so many milliseconds after every service has remembered the tenant; undefined before. */
export function afterRemembered({ rememberedAt }: Pick<ErasureRecord, 'rememberedAt'>, ms: number): number | undefined {
  return rememberedAt === null ? undefined : rememberedAt + ms;
}

/** An erasure as the operator's API shows it. @param settleMs from every service's having remembered the tenant to the last look for data */
export function viewErasure(record: ErasureRecord, settleMs: number): Erasure {
  const lastLook = record.finishedAt === null ? afterRemembered(record, settleMs) : undefined;
  const { tenantId, startedAt, finishedAt, counts, deadLettersLeft, failures, failure } = record;
  const removed = Object.entries(counts)
    .map(([name, count]) => {
      const [service = '', kind = ''] = name.split('/');
      return { service: service as ServiceName, kind, count };
    })
    .filter(({ count }) => count > 0);
  return {
    tenant_id: tenantId,
    state: finishedAt === null ? 'running' : 'finished',
    start_time: isoInstant(startedAt),
    finish_time: finishedAt === null ? null : isoInstant(finishedAt),
    last_look_time: lastLook === undefined ? null : isoInstant(lastLook),
    failures,
    failure,
    removed,
    remains: finishedAt === null ? [] : remainsOf(finishedAt, deadLettersLeft),
  };
}
