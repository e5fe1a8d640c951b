import { type FailedCall, type FailedCallList, FailedCallsQuery } from '@parcelway/contracts/activity-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request } from 'express';
import type { FailedCallRecord } from '../domain/failed-call.ts';
import type { FailedCallStore } from '../failed-call-collection.ts';
import { readLog } from '../read-log.ts';
import { ListCursors, timeRangeOf } from './list-cursors.ts';

/** What pages of failed calls are read with. */
export interface FailedCallPagesOptions {
  readonly failedCalls: Pick<FailedCallStore, 'list' | 'withRequestId'>;
  /** Secrets of the installation, of which the first seals cursors. */
  readonly fileSecrets: readonly string[];
  /** What cursors are sealed for: the cursor of another list is invalid. */
  readonly list: string;
}

const DEFAULT_PAGE = 20;

const callsQuery = compileValidator(FailedCallsQuery);

function viewCall(call: FailedCallRecord): FailedCall {
  return {
    request_id: call.requestId,
    time: isoInstant(call.at),
    method: call.method,
    route: call.route,
    path: call.path,
    status: call.status,
    code: call.code,
    message: call.message,
    data: call.data === null ? null : (JSON.parse(call.data) as object),
    key_id: call.keyId,
    duration_ms: call.durationMs,
  };
}

/**
 * Reads pages of the failed calls of a tenant, as the queries of requests ask: by request id, key, code and time.
 * @returns what rejects with AppError 42201 for a query that is not allowed
 */
export function failedCallPages({ failedCalls, fileSecrets, list: sealedFor }: FailedCallPagesOptions) {
  const cursors = new ListCursors(fileSecrets, sealedFor);
  return async (req: Request, tenantId: string): Promise<Omit<FailedCallList, 'warnings'>> => {
    const { query, after } = cursors.read(req, callsQuery, tenantId);
    const { limit, request_id, key_id, code, ...range } = query;
    const isFiltered = key_id !== undefined || code !== undefined;
    const list: typeof failedCalls.list = (...asked) =>
      request_id === undefined ? failedCalls.list(...asked) : failedCalls.withRequestId(request_id, ...asked);
    const page = await readLog(
      { list },
      {
        tenantId,
        range: timeRangeOf(range),
        matches: isFiltered
          ? (call) => (key_id === undefined || call.keyId === key_id) && (code === undefined || call.code === code)
          : undefined,
        positionOf: ({ at, callId }) => ({ createdAt: at, id: callId }),
        limit: Number(limit ?? DEFAULT_PAGE),
        after,
      },
    );
    return { requests: page.records.map(viewCall), next_cursor: cursors.next(page, tenantId) };
  };
}
