import { AppError } from '@parcelway/kernel/app-error';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import type { EventKey } from '../expected/domain/event.ts';
import type { Resolution, ResolutionAction, ResolutionRequest } from '../expected/domain/resolution.ts';
import { type LookUpOptions, lookUp } from '../expected/read-view.ts';
import type { Rejection } from '../reports/domain/event-outcome.ts';
import type { EventOutcomes, StoredOutcome } from '../reports/event-reads.ts';
import type { Intake } from '../reports/intake-store.ts';
import type { Rejections } from '../reports/rejections.ts';
import { assertNumberOfParcel } from './domain/claimable-number.ts';

export interface ResolveOptions {
  readonly resolutions: Pick<Intake, 'resolve'>;
  readonly outcomes: Pick<EventOutcomes, 'outcomeOf'>;
  readonly scans: LookUpOptions;
  readonly logger: Logger;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
  /** Counts what was carried out. */
  readonly count: (action: ResolutionAction['action']) => void;
}

/** Refuses to claim the code of a product (domain/claimable-number). @throws AppError 40902 */
async function assertNamesParcel({ outcomes, scans }: ResolveOptions, request: ResolutionRequest): Promise<void> {
  if (request.action !== 'claim') return;
  const stored = await outcomes.outcomeOf(request);
  const number = stored?.event.forecastNo ?? stored?.event.expressNo;
  // For an event that does not wait, the response says what was done before.
  if (stored === undefined || stored.waiting === null || number == null) return;
  const { candidates } = await lookUp(scans, request.warehouseCode, number);
  assertNumberOfParcel(number, request.forecastNo, candidates);
}

/**
 * Carries out a claim or dismissal, or returns what the same request did before.
 * @param traceparent of the call, for the events that it releases
 * @throws AppError 40403, 40902, or 50301 when the store is out
 */
export async function resolveUnclaimed(
  options: ResolveOptions,
  request: ResolutionRequest,
  traceparent?: string,
): Promise<{ readonly resolution: Resolution; readonly repeated: boolean }> {
  await assertNamesParcel(options, request);
  await failpointAsync('intake.before-claim');
  const { resolution, repeated, published } = await options.resolutions.resolve(request, traceparent);
  if (published > 0) options.notify();
  await failpointAsync('intake.after-claim');
  if (repeated) return { resolution, repeated };
  options.count(resolution.action);
  const { warehouseCode: warehouse_code, eventId: event_id, resolvedBy: key_id, action, events } = resolution;
  options.logger.info({ warehouse_code, event_id, key_id, action, events }, 'Waiting events were resolved by hand');
  return { resolution, repeated };
}

/** What became of an event: as it is stored, else how it was last rejected. */
export type FoundOutcome = { readonly stored: StoredOutcome } | { readonly rejected: Rejection & { readonly at: number } };

/** Reads what became of an event. @throws AppError 40403 when nothing of the id is known at the warehouse */
export async function readOutcome(
  { outcomes, rejections }: { readonly outcomes: Pick<EventOutcomes, 'outcomeOf'>; readonly rejections: Pick<Rejections, 'rejectionOf'> },
  key: EventKey,
): Promise<FoundOutcome> {
  const stored = await outcomes.outcomeOf(key);
  if (stored !== undefined) return { stored };
  const rejected = await rejections.rejectionOf(key);
  if (rejected === undefined) throw new AppError('40403', 'No event of this id is known at this warehouse');
  return { rejected };
}
