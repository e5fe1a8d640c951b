import {
  MAX_LIMITED_TENANTS,
  MAX_LISTED_TENANTS,
  TenantNumberLimit,
  type TenantNumbers,
  type TenantNumbersList,
  TenantNumbersQuery,
} from '@parcelway/contracts/declared-numbers-api';
import {
  type EventOutcome,
  MAX_CANDIDATES,
  ResolutionQuery,
  type ResolutionRecord,
  type ResolutionResult,
  UnclaimedClaim,
  UnclaimedDismissal,
  WaitingEventQuery,
  type WaitingEvent as WaitingEventView,
} from '@parcelway/contracts/unclaimed-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { WarehouseEventType } from '@parcelway/contracts/warehouse-api';
import { assertSystem, principalOf, warehouseOf, warehouseOnly } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import type { Idempotency } from '@parcelway/http/idempotency';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { invalidCursor, type SealedCursors } from '@parcelway/http/sealed-cursor';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request, Response, Router } from 'express';
import { type DeclaredNumbers, isSuspect } from '../../expected/domain/declared-numbers.ts';
import type { Resolution, ResolutionAction } from '../../expected/domain/resolution.ts';
import type { NumberCounts } from '../../expected/number-counts.ts';
import { reasonsShownAs, shownReason } from '../../reports/domain/event-outcome.ts';
import type { EventOutcomes, WaitingEvent } from '../../reports/event-reads.ts';
import type { Intake } from '../../reports/intake-store.ts';
import type { Rejections } from '../../reports/rejections.ts';
import { type FoundOutcome, type ResolveOptions, readOutcome, resolveUnclaimed } from '../resolve-unclaimed.ts';

export interface UnclaimedRoutesOptions extends ResolveOptions {
  readonly resolutions: Pick<Intake, 'resolve' | 'resolutions'>;
  readonly outcomes: EventOutcomes;
  readonly rejections: Pick<Rejections, 'rejectionOf'>;
  /** Those of the list. */
  readonly cursors: SealedCursors;
  readonly idempotency: Idempotency;
}

const DEFAULT_LIMIT = 50;
const DEFAULT_RESOLUTIONS = 100;
const resolutionQuery = compileValidator(ResolutionQuery);
const listQuery = compileValidator(WaitingEventQuery);
const claimBody = compileValidator(UnclaimedClaim);
const dismissalBody = compileValidator(UnclaimedDismissal);
function waitingView({ event, type, reason, receivedAt, candidates }: WaitingEvent): WaitingEventView {
  return {
    id: event.eventId,
    type,
    express_no: event.expressNo,
    forecast_no: event.forecastNo,
    reason: shownReason(reason),
    candidates: candidates.slice(0, MAX_CANDIDATES),
    occurred_at: event.occurredAt,
    received_at: isoInstant(receivedAt),
  };
}

function resolutionView(resolution: Resolution): ResolutionResult {
  return {
    id: resolution.eventId,
    action: resolution.action,
    forecast_no: resolution.action === 'claim' ? resolution.forecastNo : null,
    reason: resolution.action === 'dismiss' ? resolution.reason : null,
    events: resolution.events,
    resolved_at: isoInstant(resolution.resolvedAt),
    resolved_by: resolution.resolvedBy,
  };
}

function resolutionRecord(resolution: Resolution): ResolutionRecord {
  return { warehouse_code: resolution.warehouseCode, ...resolutionView(resolution) };
}

const unresolved = { resolved_by: null, resolved_at: null, reason: null };
const notRejected = { code: null, errors: [] };

function outcomeView(found: FoundOutcome): EventOutcome {
  if ('rejected' in found) {
    const { eventId, type, occurredAt, code, errors, at } = found.rejected;
    const rest = { ...unresolved, forecast_no: null, waiting_for: null, candidates: [] };
    const known = type as WarehouseEventType | null;
    const faults = errors.map(({ field, rule, message }) => ({ field, rule, message }));
    return {
      event_id: eventId,
      type: known,
      state: 'rejected',
      ...rest,
      code,
      errors: faults,
      occurred_at: occurredAt,
      received_at: isoInstant(at),
    };
  }
  const { event, receivedAt, waiting, candidates, forecastNo, isDismissed, resolution } = found.stored;
  const resolved = resolution && resolutionView(resolution);
  return {
    event_id: event.eventId,
    type: event.detail.type,
    state: waiting !== null ? 'waiting' : isDismissed ? 'dismissed' : 'applied',
    forecast_no: forecastNo,
    waiting_for: waiting === null ? null : shownReason(waiting),
    candidates: candidates.slice(0, MAX_CANDIDATES),
    ...notRejected,
    occurred_at: event.occurredAt,
    received_at: isoInstant(receivedAt),
    ...unresolved,
    ...(resolved && { resolved_by: resolved.resolved_by, resolved_at: resolved.resolved_at, reason: resolved.reason }),
  };
}

/** What a warehouse sees of its reports afterwards, and does with those that wait. */
export function unclaimedRoutes(router: Router, options: UnclaimedRoutesOptions): void {
  const { outcomes, cursors, idempotency } = options;
  const body = jsonBody();
  const resolve = async (req: Request, res: Response, action: ResolutionAction): Promise<void> => {
    const request = { ...action, warehouseCode: warehouseOf(req), eventId: String(req.params['id']), resolvedBy: principalOf(req).keyId };
    const { resolution, repeated } = await resolveUnclaimed(options, request, traceparentOf(req));
    sendOk(res, resolutionView(resolution), repeated ? { headers: { 'Idempotent-Replayed': 'true' } } : {});
  };

  router.get('/warehouse/v1/unclaimed', async (req, res) => {
    const warehouseCode = warehouseOf(req);
    let after: string | undefined;
    const { reason, limit } = parseQuery(req, listQuery, {
      cursor(text) {
        after = cursors.open(warehouseCode, text);
        return after === undefined ? invalidCursor : undefined;
      },
    });
    const asked = { warehouseCode, reasons: reasonsShownAs(reason), after, limit: Number(limit ?? DEFAULT_LIMIT) };
    const { events, next } = await outcomes.waitingAt(asked);
    const nextCursor = next === null ? null : cursors.seal(warehouseCode, next);
    sendOk(res, { parcels: events.map(waitingView), next_cursor: nextCursor });
  });
  router.post('/warehouse/v1/unclaimed/:id/claim', warehouseOnly, body, idempotency.route('claimUnclaimed', warehouseOf), (req, res) =>
    resolve(req, res, { action: 'claim', forecastNo: claimBody.parse(req.body).forecast_no }),
  );
  router.post('/warehouse/v1/unclaimed/:id/dismiss', warehouseOnly, body, idempotency.route('dismissUnclaimed', warehouseOf), (req, res) =>
    resolve(req, res, { action: 'dismiss', reason: dismissalBody.parse(req.body).reason }),
  );
  router.get('/internal/v1/resolutions', async (req, res) => {
    assertSystem(req);
    const { limit, warehouse_code: warehouseCode } = parseQuery(req, resolutionQuery);
    const found = await options.resolutions.resolutions({ warehouseCode, limit: Number(limit ?? DEFAULT_RESOLUTIONS) });
    sendOk(res, { resolutions: found.map(resolutionRecord) });
  });
  router.get('/warehouse/v1/events/:event_id', async (req, res) => {
    const key = { warehouseCode: warehouseOf(req), eventId: String(req.params['event_id']) };
    sendOk(res, outcomeView(await readOutcome(options, key)));
  });
}

const tenantNumbersQuery = compileValidator(TenantNumbersQuery);
const tenantNumberLimit = compileValidator(TenantNumberLimit);

function view(counts: DeclaredNumbers): TenantNumbers {
  const { tenantId, unseen, seen, limit } = counts;
  return { tenant_id: tenantId, unseen, seen_30_days: seen, is_suspect: isSuspect(counts), limit };
}

/** The internal routes by which operators see and limit the numbers of tenants, and `forecast` follows the limits. */
export function declaredNumbersRoutes(
  router: Router,
  counts: Pick<NumberCounts, 'declaredNumbers' | 'limitedNumbers' | 'limitNumbers'>,
): void {
  router.get('/internal/v1/declared-numbers', async (req, res) => {
    assertSystem(req);
    const { limited } = parseQuery(req, tenantNumbersQuery);
    const found = await (limited === 'true' ? counts.limitedNumbers(MAX_LIMITED_TENANTS) : counts.declaredNumbers(MAX_LISTED_TENANTS));
    const tenants = found.map(view);
    const order = (a: TenantNumbers, b: TenantNumbers): number => Number(b.is_suspect) - Number(a.is_suspect) || b.unseen - a.unseen;
    sendOk(res, { tenants: tenants.sort(order) } satisfies TenantNumbersList);
  });
  router.post('/internal/v1/declared-numbers', jsonBody(), async (req, res) => {
    assertSystem(req);
    const { tenant_id: tenantId, limit } = tenantNumberLimit.parse(req.body);
    sendOk(res, view(await counts.limitNumbers(tenantId, limit)));
  });
}
