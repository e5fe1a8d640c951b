import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import { consumedTopics } from '@parcelway/contracts/topics';
import type { ResolutionRecord } from '@parcelway/contracts/unclaimed-api';
import type { ApiClient } from '@parcelway/harness/api-client';
import type { ReceivedWebhook, WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { type ParcelReaders, parcelViolations } from './check-parcel.ts';
import { trackedViolations } from './check-tracked.ts';
import type { Ledger, LedgerEntry, LedgerTotals } from './ledger.ts';

/** Outcome of a ledger check; `violations` is empty when nothing was lost or doubled. */
export interface LedgerReport extends LedgerTotals {
  readonly webhooks: number;
  readonly repeatedWebhooks: number;
  readonly violations: readonly string[];
}

/** Clients and receivers for a check of a ledger. */
export interface LedgerWitnesses extends ParcelReaders {
  readonly admin: ApiClient;
  /** Endpoints that name no events. */
  readonly receivers: readonly WebhookReceiver[];
  /** An endpoint of `forecast.corrected` alone. */
  readonly correctionReceiver?: WebhookReceiver;
  /** Dead letters that the test expects, besides those that are {@link PLANTED}. */
  readonly isExpected?: (deadLetter: DeadLetterView) => boolean;
}

const CHECKERS = 8;
/** How long a healed platform may take to become quiet. */
const QUIET_WITHIN_MS = 120_000;
/** Deadline of a read with its retries. */
const PATIENCE_MS = 30_000;
/** Most resolutions that the operator's API lists. */
const MAX_LISTED = 1000;
/** Prefix of the keys of messages that a test expects to be dead-lettered. */
export const PLANTED = 'planted-';

/** Checks all accepted parcels, several at a time. Pending effects have until the deadline. */
async function checkParcels(readers: ParcelReaders, ledger: Ledger): Promise<string[]> {
  const violations: string[] = [];
  const deadline = performance.now() + QUIET_WITHIN_MS;
  const left = [...ledger.entries.values()].filter((entry) => entry.forecastNo !== undefined);
  const checkOne = async (entry: LedgerEntry): Promise<void> => {
    let found: string[] = [];
    const isGood = async (): Promise<boolean> => {
      found = await parcelViolations(readers, entry);
      return found.length === 0;
    };
    await until(isGood, { within: Math.max(0, deadline - performance.now()), everyMs: 200 }).catch((error: unknown) =>
      violations.push(...(found.length > 0 ? found : [String((error as Error).cause ?? error)])),
    );
  };
  const check = async (): Promise<void> => {
    for (let entry = left.pop(); entry; entry = left.pop()) await checkOne(entry);
  };
  await Promise.all(Array.from({ length: CHECKERS }, check));
  return violations;
}

/** Reads as clients do, again after a 503. @throws Error after {@link PATIENCE_MS} */
function read<T extends object>(client: ApiClient, path: string): Promise<T> {
  const look = async (): Promise<T> => client.expectOk<T>(path);
  return until(look, { within: PATIENCE_MS, everyMs: 500, what: path }) as Promise<T>;
}

/** The list must have each acknowledged forecast, and each po_number once. */
async function checkList(client: ApiClient, { entries }: Ledger): Promise<string[]> {
  const found: string[] = [];
  for (let query: string | null = ''; query !== null; ) {
    const page: { forecasts: { po_number: string }[]; next_cursor: string | null } = await read(
      client,
      `/open/v1/forecasts?limit=100${query}`,
    );
    found.push(...page.forecasts.map(({ po_number }) => po_number));
    query = page.next_cursor === null ? null : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  const listed = new Set(found);
  const missing = [...entries.values()].filter(({ forecastNo, poNumber }) => forecastNo !== undefined && !listed.has(poNumber));
  return [
    ...(listed.size === found.length ? [] : ['a po_number is listed twice']),
    ...missing.map(({ poNumber }) => `forecast ${poNumber} was acknowledged and is not listed`),
  ];
}

async function checkDeadLetters({ admin, isExpected = () => false }: LedgerWitnesses): Promise<string[]> {
  const found = consumedTopics.map(async (topic) => {
    const { dead_letters } = await read<{ dead_letters: DeadLetterView[] }>(admin, `/admin/v1/dead-letters?topic=${topic}&limit=1000`);
    const [first, ...more] = dead_letters.filter((one) => !one.key?.startsWith(PLANTED) && !isExpected(one));
    return first ? [`${1 + more.length} dead letters on ${topic}, the first by ${first.group}: ${first.reason}`] : [];
  });
  return (await Promise.all(found)).flat();
}

/** The audit must have one entry for each claim, with both of its events, and one for each dismissal. */
async function checkAudit(admin: ApiClient, ledger: Ledger): Promise<string[]> {
  const { resolutions } = await read<{ resolutions: ResolutionRecord[] }>(admin, `/admin/v1/resolutions?limit=${MAX_LISTED}`);
  const { claims, dismissals } = ledger.totals;
  // The newest come first, and those of this ledger are the newest.
  const isComplete = resolutions.length < MAX_LISTED || claims + dismissals <= MAX_LISTED;
  const check = (id: string | undefined, expected: string): string[] => {
    const found = resolutions.filter((resolution) => resolution.id === id).map((one) => `${one.action} of ${one.events} events`);
    const isRight = found.join() === expected || (found.length === 0 && !isComplete);
    return isRight ? [] : [`the audit of ${id} is ${found.join(', ') || 'empty'}`];
  };
  return [...ledger.entries.values()].flatMap((entry) => [
    ...(entry.weighingAcknowledged && entry.strayNumber !== undefined ? check(entry.eventId, 'claim of 2 events') : []),
    ...(entry.dismissalAcknowledged ? check(entry.dismissedEventId, 'dismiss of 1 events') : []),
  ]);
}

/** The webhooks of a parcel by their event_seq, each webhook-id once. */
function webhooksOf({ received }: WebhookReceiver, poNumber: string): ReceivedWebhook['body']['data'][] {
  const own = received.filter(({ body }) => body.data.po_number === poNumber).map(({ id, body }) => [id, body.data] as const);
  return [...new Map(own).values()].sort((a, b) => Number(a.event_seq) - Number(b.event_seq));
}

/** One webhook-id for each weighing at an endpoint that names no events, numbered without a gap. */
function weighingViolations(receiver: WebhookReceiver, { poNumber, weighingAcknowledged }: LedgerEntry): string[] {
  const webhooks = webhooksOf(receiver, poNumber);
  const sequence = webhooks.map(({ event_seq }) => Number(event_seq));
  return [
    ...(weighingAcknowledged && webhooks.length !== 1 ? [`${poNumber}: ${webhooks.length} webhook ids for one weighing`] : []),
    ...(sequence.every((value, index) => value === index + 1) ? [] : [`${poNumber}: event_seq ${sequence.join(',')}`]),
  ];
}

/** One webhook-id for each version at an endpoint of `forecast.corrected`, in the order of versions. */
function correctionViolations(receiver: WebhookReceiver, entry: LedgerEntry): string[] {
  const { poNumber, correctionsAcknowledged, correctionsSent } = entry;
  const versions = webhooksOf(receiver, poNumber).map(({ version }) => Number(version));
  const isInOrder = versions.every((version, index) => version === index + 2);
  const isGood = isInOrder && versions.length >= correctionsAcknowledged && versions.length <= correctionsSent;
  return isGood ? [] : [`${poNumber}: webhook ids for the versions ${versions.join(',')} after ${correctionsAcknowledged} corrections`];
}

function checkWebhooks(ledger: Ledger, { receivers, correctionReceiver }: LedgerWitnesses): string[] {
  const entries = [...ledger.entries.values()];
  const all = correctionReceiver === undefined ? receivers : [...receivers, correctionReceiver];
  const foreign = all.flatMap(({ received }) => received.filter(({ id, body }) => id !== body.data.event_id));
  return [
    ...foreign.map(({ id }) => `webhook-id ${id} is not the event_id`),
    ...receivers.flatMap((receiver) => entries.flatMap((entry) => weighingViolations(receiver, entry))),
    ...(correctionReceiver === undefined ? [] : entries.flatMap((entry) => correctionViolations(correctionReceiver, entry))),
  ];
}

/** Waits until every endpoint has a webhook for each of its events. */
async function untilDelivered(ledger: Ledger, { receivers, correctionReceiver }: LedgerWitnesses): Promise<void> {
  const weighed = [...ledger.entries.values()].filter((entry) => entry.weighingAcknowledged);
  const hasAll = ({ received }: WebhookReceiver): boolean => {
    const known = new Set(received.map(({ body }) => body.data.po_number));
    return weighed.every((entry) => known.has(entry.poNumber));
  };
  const corrected = (): number => new Set(correctionReceiver?.received.map(({ id }) => id)).size;
  const isComplete = (): boolean =>
    receivers.every(hasAll) && (correctionReceiver === undefined || corrected() >= ledger.totals.corrections);
  await until(isComplete, { within: QUIET_WITHIN_MS, what: 'all webhooks to arrive' });
}

/**
 * The oracle of every durability test, on a healed platform:
 * - Each acknowledged forecast exists once and is listed.
 * - Each acknowledged correction, weighing, claim and dismissal had its effect once.
 * - Each forecast has the documents of its version and its uploaded files. Warehouse and merchant see the same.
 * - Each endpoint got each event at least once under one webhook-id, in sequences without a gap.
 * - Each tracked parcel is delivered, with each change once.
 * - Only expected messages are dead-lettered.
 * @param witnesses with keys that meet no rate limit
 */
export async function checkLedger(ledger: Ledger, witnesses: LedgerWitnesses): Promise<LedgerReport> {
  const { admin, merchant, receivers, correctionReceiver } = witnesses;
  const late = await untilDelivered(ledger, witnesses).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  const violations = [
    ...ledger.contradictions,
    ...late,
    ...(await checkParcels(witnesses, ledger)),
    ...(await checkList(merchant, ledger)),
    ...checkWebhooks(ledger, witnesses),
    ...(await trackedViolations(ledger, witnesses)),
    ...(await checkAudit(admin, ledger)),
    ...(await checkDeadLetters(witnesses)),
  ];
  const ids = [...receivers, ...(correctionReceiver ? [correctionReceiver] : [])].map(({ received }) =>
    received.filter(({ body }) => ledger.entries.has(String(body.data.po_number))).map(({ id }) => id),
  );
  const webhooks = ids.flat().length;
  const distinct = ids.reduce((sum, of) => sum + new Set(of).size, 0);
  return { ...ledger.totals, webhooks, repeatedWebhooks: webhooks - distinct, violations };
}
