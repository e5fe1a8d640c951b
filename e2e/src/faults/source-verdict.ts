import { isDeepStrictEqual } from 'node:util';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { pathOf, routeById } from '@parcelway/harness/route-call';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { until } from '@parcelway/kernel/testing/until';
import type { SourceStage, TrackedParcel, TrackedSource } from './tracked-source.ts';

const ARRIVES_MS = 40_000;

/** A tracking query with its time in milliseconds. */
interface TimedResponse {
  readonly ms: number;
  readonly response: ApiResponse<TrackingResult>;
}

/** Asks for the tracking of a parcel. */
export async function query({ merchant }: Pick<SourceStage, 'merchant'>, po_number: string): Promise<TimedResponse> {
  const at = performance.now();
  const response = await merchant.client.call<TrackingResult>(pathOf(routeById('queryTracking'), { query: { po_number } }));
  return { ms: performance.now() - at, response };
}

/** The statuses of the `tracking.changed` webhooks of a parcel, in the order of their events. One that came again under its `webhook-id` counts once. */
export function changesOf({ receivers }: Pick<SourceStage, 'receivers'>, poNumber: string): AdminStatus[] {
  const changes = receivers[0].received.filter(({ type, body }) => type === 'tracking.changed' && body.data.po_number === poNumber);
  const once = [...new Map(changes.map((change) => [change.id, change])).values()];
  const inOrder = once.sort((a, b) => Number(a.body.data.event_seq) - Number(b.body.data.event_seq));
  return inOrder.map(({ body }) => body.data.admin_status as AdminStatus);
}

/** Waits until the merchant has received a change of the parcel. No query is made: the platform finds it by itself. */
export async function untilChanged(stage: SourceStage, parcel: TrackedParcel, status: AdminStatus, within = ARRIVES_MS): Promise<void> {
  const hasCome = (): boolean => changesOf(stage, parcel.poNumber).includes(status);
  await until(hasCome, { within, everyMs: 100, what: `${status} of ${parcel.poNumber} in a webhook` });
}

/** What a query has wrong while a source gives nothing: it is refused for now, or it has what is known, with its age. */
function notHonest({ response, ms }: TimedResponse, known: readonly AdminStatus[], maxMs: number): string[] {
  const { status, code, data } = response;
  const slow = ms > maxMs ? [`a query took ${ms.toFixed(0)} ms instead of ${maxMs} at most`] : [];
  if (code === '50001') return status === 503 && response.headers['retry-after'] !== undefined ? slow : [...slow, `50001 with ${status}`];
  if (code !== '0') return [...slow, `a query got ${status} ${code}`];
  const isKnown = isDeepStrictEqual(statusesOf(data), known) && !data.is_terminal && data.as_of !== undefined;
  return isKnown ? slow : [...slow, `a query got ${JSON.stringify(data)}`];
}

/** Asks for a parcel several times. @returns what is wrong with the responses, see {@link notHonest} */
export async function askHonestly(
  stage: SourceStage,
  parcel: TrackedParcel,
  { times, known = [], maxMs = 10_000 }: { readonly times: number; readonly known?: readonly AdminStatus[]; readonly maxMs?: number },
): Promise<string[]> {
  const wrong: string[] = [];
  for (let call = 0; call < times; call += 1) wrong.push(...notHonest(await query(stage, parcel.poNumber), known, maxMs));
  return [...new Set(wrong)];
}

/** The statuses of a parcel's nodes, oldest first. */
function statusesOf({ nodes }: TrackingResult): AdminStatus[] {
  return nodes.map(({ admin_status }) => admin_status as AdminStatus).reverse();
}

/** What has to be known of a parcel before its delivery. */
export interface ExpectedWay {
  /** Of the nodes, oldest first. */
  readonly nodes: readonly AdminStatus[];
  /** Of the changes that were published; default: those of the nodes. */
  readonly changes?: readonly AdminStatus[];
}

/**
 * Has the vendor push the delivery of a parcel, and judges its whole way: every node once, every change published once and in order, terminal by the
 * delivery and not before. Webhooks of a parcel come in order, so a change that was published twice has come by then.
 */
export async function endAndJudge(
  stage: SourceStage,
  source: TrackedSource,
  parcel: TrackedParcel,
  { nodes, changes = nodes }: ExpectedWay,
): Promise<string[]> {
  const { number, poNumber } = parcel;
  const before = await stage.merchant.tracking(poNumber);
  source.server.addRows(number, recentRow('delivered', 1));
  await source.pushUntilTaken(number);
  await untilChanged(stage, parcel, 'Delivery Success');
  const after = await stage.merchant.tracking(poNumber);
  const differs = (what: string, seen: readonly AdminStatus[], expected: readonly AdminStatus[]): string[] =>
    isDeepStrictEqual(seen, expected)
      ? []
      : [`${source.server.name}: ${what} of ${poNumber}: ${seen.join(', ')}; expected: ${expected.join(', ')}`];
  return [
    ...(before.is_terminal ? [`${source.server.name}: ${poNumber} ended before its delivery`] : []),
    ...(after.is_terminal ? [] : [`${source.server.name}: ${poNumber} has not ended by its delivery`]),
    ...differs('nodes', statusesOf(after), [...nodes, 'Delivery Success']),
    ...differs('changes', changesOf(stage, poNumber), [...changes, 'Delivery Success']),
  ];
}
