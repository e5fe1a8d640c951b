import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import { consumedTopics } from '@parcelway/contracts/topics';
import type { ResolutionRecord } from '@parcelway/contracts/unclaimed-api';
import type { ApiClient } from '@parcelway/harness/api-client';
import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { type ParcelReaders, parcelViolations } from './check-parcel.ts';
import { correctionWebhookViolations, weighingWebhookViolations } from './check-webhooks.ts';
import type { Ledger, LedgerEntry, LedgerTotals } from './ledger.ts';

/** Outcome of a ledger check; `violations` is empty when nothing was lost or doubled. */
export interface LedgerReport extends LedgerTotals {
  readonly webhooks: number;
  readonly repeatedWebhooks: number;
  readonly violations: readonly string[];
}

/** Whom a ledger is checked with. */
export interface LedgerWitnesses extends ParcelReaders {
  readonly admin: ApiClient;
  /** Endpoints that name no events. */
  readonly receivers: readonly WebhookReceiver[];
  /** An endpoint of `forecast.corrected` alone. */
  readonly correctionReceiver?: WebhookReceiver;
  /** Dead letters that are as they should be; those that a test has planted always are. */
  readonly isExpected?: (deadLetter: DeadLetterView) => boolean;
}

const CHECKERS = 8;
/** How long a healed platform may take to become quiet. */
const QUIET_WITHIN_MS = 120_000;
/** How long a read is tried. */
const PATIENCE_MS = 30_000;
/** As many resolutions as the operator's API lists. */
const MAX_LISTED = 1000;

/** All that were accepted, several side by side. What is on its way still has until the deadline. */
async function checkParcels(readers: ParcelReaders, ledger: Ledger, violations: string[]): Promise<void> {
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
}

/** Reads as clients do, who try again after a 503. @throws Error when that does not help within {@link PATIENCE_MS} */
function read<T extends object>(client: ApiClient, path: string): Promise<T> {
  const look = async (): Promise<T> => client.expectOk<T>(path);
  return until(look, { within: PATIENCE_MS, everyMs: 500, what: path }) as Promise<T>;
}

async function allForecastNumbers(client: ApiClient): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { forecasts: Array<{ po_number: string }>; next_cursor: string | null } = await read(
      client,
      `/open/v1/forecasts?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    found.push(...page.forecasts.map((forecast) => forecast.po_number));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/** Keys of messages that a test puts into a topic to see them dead-lettered begin with this. */
export const PLANTED = 'planted-';

async function checkDeadLetters({ admin, isExpected = () => false }: LedgerWitnesses, violations: string[]): Promise<void> {
  for (const topic of consumedTopics) {
    const { dead_letters } = await read<{ dead_letters: DeadLetterView[] }>(admin, `/admin/v1/dead-letters?topic=${topic}&limit=1000`);
    const [first, ...more] = dead_letters.filter((one) => !one.key?.startsWith(PLANTED) && !isExpected(one));
    if (first) violations.push(`${1 + more.length} dead letters on ${topic}, the first by ${first.group}: ${first.reason}`);
  }
}

/** The audit has one entry of each claim, over both of its events, and one of each dismissal. */
async function checkAudit(admin: ApiClient, ledger: Ledger, violations: string[]): Promise<void> {
  const { resolutions } = await read<{ resolutions: ResolutionRecord[] }>(admin, `/admin/v1/resolutions?limit=${MAX_LISTED}`);
  const isComplete = resolutions.length < MAX_LISTED;
  const check = (id: string | undefined, action: string, events: number): void => {
    const found = resolutions.filter((resolution) => resolution.id === id).map((one) => `${one.action} of ${one.events} events`);
    if (found.length === 0 && !isComplete) return;
    if (found.join() !== `${action} of ${events} events`) violations.push(`the audit of ${id} is ${found.join(', ') || 'empty'}`);
  };
  for (const { eventId, dismissedEventId, strayNumber, weighingAcknowledged, dismissalAcknowledged } of ledger.entries.values()) {
    if (weighingAcknowledged && strayNumber !== undefined) check(eventId, 'claim', 2);
    if (dismissalAcknowledged) check(dismissedEventId, 'dismiss', 1);
  }
}

/** Waits until every endpoint has heard of what it should. */
async function untilDelivered(ledger: Ledger, { receivers, correctionReceiver }: LedgerWitnesses): Promise<void> {
  const entries = [...ledger.entries.values()];
  const weighed = entries.filter((entry) => entry.weighingAcknowledged);
  const heard = ({ received }: WebhookReceiver): Set<unknown> => new Set(received.map(({ body }) => body.data.po_number));
  const corrections = entries.reduce((sum, { correctionsAcknowledged }) => sum + correctionsAcknowledged, 0);
  const isComplete = (): boolean =>
    receivers.every((receiver) => {
      const known = heard(receiver);
      return weighed.every((entry) => known.has(entry.poNumber));
    }) &&
    (correctionReceiver === undefined || new Set(correctionReceiver.received.map(({ id }) => id)).size >= corrections);
  await until(isComplete, { within: QUIET_WITHIN_MS, what: 'all webhooks to arrive' });
}

/**
 * The oracle of every durability test, on a healed platform: each acknowledged forecast exists once, each acknowledged correction, weighing, claim and
 * dismissal had its effect once, each forecast has the documents of its version, its warehouse sees what its merchant sees, each endpoint got each
 * event at least once under one webhook-id, sequences have no gap, nothing is dead-lettered that was not {@link PLANTED}.
 * @param witnesses with keys that meet no rate limit
 */
export async function checkLedger(ledger: Ledger, witnesses: LedgerWitnesses): Promise<LedgerReport> {
  const { admin, merchant, receivers, correctionReceiver } = witnesses;
  const violations: string[] = [...ledger.contradictions];
  await untilDelivered(ledger, witnesses).catch((error: unknown) => violations.push(String(error)));
  await checkParcels(witnesses, ledger, violations);
  const numbers = await allForecastNumbers(merchant);
  if (new Set(numbers).size !== numbers.length) violations.push('a po_number is listed twice');
  for (const receiver of receivers) violations.push(...weighingWebhookViolations(ledger, receiver));
  if (correctionReceiver) violations.push(...correctionWebhookViolations(ledger, correctionReceiver));
  await checkAudit(admin, ledger, violations);
  await checkDeadLetters(witnesses, violations);
  const all = [...receivers, ...(correctionReceiver ? [correctionReceiver] : [])];
  const idsByReceiver = all.map(({ received }) =>
    received.filter(({ body }) => ledger.entries.has(String(body.data.po_number))).map(({ id }) => id),
  );
  const webhooks = idsByReceiver.reduce((sum, ids) => sum + ids.length, 0);
  const distinct = idsByReceiver.reduce((sum, ids) => sum + new Set(ids).size, 0);
  return { ...ledger.totals, webhooks, repeatedWebhooks: webhooks - distinct, violations };
}
