import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { createAttemptReport } from '../dispatch/report-attempt.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { endpointFor, T0 } from './webhook-fixtures.ts';

/** The trace of the event. */
export const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const SECRET_URL = 'https://hooks.example.com/token-hunter2';

/** How an attempt differs from the usual one. */
export interface Given {
  readonly attempt?: Partial<AttemptResult['attempt']>;
  readonly status?: AttemptResult['status'];
  readonly delivery?: Partial<Delivery>;
  readonly endpoint?: Partial<Endpoint>;
  readonly heldBack?: boolean;
  readonly nextAttemptAt?: number;
}

/** A first attempt that began 40 ms after its event and succeeded after 10 ms, unless a test says otherwise. */
function finished({ attempt, status = 'succeeded', delivery, endpoint, nextAttemptAt }: Given = {}): AttemptResult {
  const occurredAt = T0 + 1000;
  const made = {
    tenantId: 'tnt_one',
    deliveryId: 'dlv_1',
    endpointId: 'we_1',
    eventId: 'evt_1',
    eventType: 'parcel.weighed',
    poNumber: 'PO-hunter2',
    status: 'pending',
    attemptCount: 0,
    step: 0,
    test: false,
    nextAttemptAt: occurredAt,
    nextReason: 'first',
    lastStatusCode: null,
    createdAt: occurredAt,
    ...delivery,
  } as const;
  return {
    leased: {
      endpoint: endpointFor('tnt_one', { headers: { authorization: 'hunter2' }, ...endpoint }),
      delivery: made,
      body: '{"data":"hunter2"}',
      origin: { occurredAt, traceparent },
      leaseUntil: 0,
    },
    attempt: {
      attemptId: 'att_1',
      url: SECRET_URL,
      startedAt: occurredAt + 40,
      durationMs: 10,
      outcome: status === 'succeeded' ? 'succeeded' : 'failed',
      statusCode: 204,
      error: null,
      errorCode: null,
      retryAfter: null,
      responseBody: 'hunter2',
      ...attempt,
    },
    status,
    nextAttemptAt: nextAttemptAt ?? null,
    nextReason: null,
    gone: false,
  };
}

/** What is reported of an attempt. */
export function reported(given: Given, accessLog = true) {
  const telemetry = recordingTelemetry();
  const lines: LogFields[] = [];
  const logger = { ...silentLogger, info: (fields: LogFields) => void lines.push(fields) };
  createAttemptReport({ telemetry: telemetry.of('webhook'), logger, accessLog })(finished(given), given.heldBack ?? false);
  return { telemetry, lines };
}
