import type { Logger } from '@parcelway/kernel/logger';
import { parseUrl } from '@parcelway/kernel/parse-url';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { parseTraceParent } from '@parcelway/telemetry/trace-parent';
import type { DeliveryStatus } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';

/** What came of an attempt, as metrics and log name it. */
type AttemptOutcome = 'delivered' | 'rejected' | 'timeout' | 'unreachable' | 'refused';

export interface ReportOptions {
  readonly telemetry: ServiceTelemetry;
  readonly logger: Logger;
  readonly accessLog: boolean;
}

/** How a delivery ended, by its status; one that goes on has not ended. */
const ENDED: Readonly<Partial<Record<DeliveryStatus, string>>> = { succeeded: 'delivered', failed: 'exhausted', held: 'held' };

function outcomeOf({ attempt: { outcome, statusCode, errorCode } }: AttemptResult): AttemptOutcome {
  if (outcome === 'succeeded') return 'delivered';
  if (errorCode === 'address_not_allowed') return 'refused';
  if (errorCode === 'timeout') return 'timeout';
  return statusCode === null ? 'unreachable' : 'rejected';
}

/**
 * True when the delay of a first attempt says how quick we are: not of a test, nor of an endpoint that its tenant has made,
 * paused or changed since the event, nor of one that fails, has asked for less or has a rate limit: what waits there waits for the receiver.
 */
function showsOurDelay({ leased }: AttemptResult, heldBack: boolean): boolean {
  const { delivery, endpoint, origin } = leased;
  const isSteady = endpoint.updatedAt <= origin.occurredAt && endpoint.failingSince === null;
  return !heldBack && delivery.attemptCount === 0 && !delivery.test && isSteady && endpoint.rateLimit === null;
}

function count({ metrics }: ServiceTelemetry, result: AttemptResult, outcome: AttemptOutcome, heldBack: boolean): void {
  const { attempt, leased, status } = result;
  metrics.count('parcelway_webhook_attempts_total', { outcome });
  metrics.observe('parcelway_webhook_attempt_duration_seconds', { outcome }, attempt.durationMs / 1000);
  const ended = ENDED[status];
  if (ended !== undefined) metrics.count('parcelway_webhook_deliveries_total', { outcome: ended });
  if (!showsOurDelay(result, heldBack)) return;
  // Clocks of different processes may differ by a little.
  const delay = Math.max(0, attempt.startedAt - leased.origin.occurredAt);
  metrics.observe('parcelway_webhook_first_attempt_delay_seconds', {}, delay / 1000);
  if (outcome === 'delivered') metrics.observe('parcelway_webhook_event_latency_seconds', {}, (delay + attempt.durationMs) / 1000);
}

function trace({ tracer }: ServiceTelemetry, { attempt, leased }: AttemptResult, outcome: AttemptOutcome): string | undefined {
  const { delivery, origin } = leased;
  if (!tracer.recording) return undefined;
  const span = tracer.start(`deliver ${delivery.eventType}`, {
    kind: 'client',
    parent: origin.traceparent ?? undefined,
    startedAt: attempt.startedAt,
    attributes: {
      'http.request.method': 'POST',
      // The path of a receiver may hold a secret of its own.
      'server.address': parseUrl(attempt.url)?.hostname,
      'http.response.status_code': attempt.statusCode ?? undefined,
      'http.request.resend_count': delivery.attemptCount,
      'parcelway.delivery.id': delivery.deliveryId,
      'parcelway.delivery.outcome': outcome,
    },
  });
  span.end({ error: outcome === 'delivered' ? undefined : outcome });
  return span.traceparent;
}

/** Reports attempts to metrics, trace and log: what happened, and never bodies, headers or paths. */
export function createAttemptReport({ telemetry, logger, accessLog }: ReportOptions): (result: AttemptResult, heldBack: boolean) => void {
  return (result, heldBack) => {
    const outcome = outcomeOf(result);
    count(telemetry, result, outcome, heldBack);
    const traceparent = trace(telemetry, result, outcome);
    if (!accessLog) return;
    const { attempt, leased, status, nextAttemptAt } = result;
    const { delivery, origin } = leased;
    const line = {
      outcome,
      status: attempt.statusCode,
      ms: attempt.durationMs,
      attempt: delivery.attemptCount + 1,
      delivery_status: status,
      next_attempt_at: nextAttemptAt === null ? null : new Date(nextAttemptAt).toISOString(),
      event_type: delivery.eventType,
      event_id: delivery.eventId,
      delivery_id: delivery.deliveryId,
      endpoint_id: delivery.endpointId,
      tenant_id: delivery.tenantId,
      trace_id: parseTraceParent(traceparent ?? origin.traceparent)?.traceId,
    };
    logger.info(line, 'webhook attempt');
  };
}
