import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { topics } from '@parcelway/contracts/topics';
import type { ApiClient } from '@parcelway/harness/api-client';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { until } from '@parcelway/harness/until';
import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';

/** What the client was told about one parcel. Only a 2xx counts as told. */
export interface LedgerEntry {
  readonly poNumber: string;
  /** Weight of its weighing, unique to it: tells its measurement from every other. */
  readonly weightKg: number;
  readonly eventId: string;
  labelUrl?: string;
  forecastNo?: string;
  photoId?: string;
  weighingAcknowledged?: boolean;
}

/** What a client wrote down while it put load on a platform that was being killed. */
export class Ledger {
  readonly entries = new Map<string, LedgerEntry>();
  /** Answers that contradict an earlier one, such as a second forecast_no for one po_number. */
  readonly contradictions: string[] = [];

  /** Notes an acknowledged submission. */
  acknowledgeForecast(entry: LedgerEntry, forecastNo: string): void {
    if (entry.forecastNo !== undefined && entry.forecastNo !== forecastNo) {
      this.contradictions.push(`${entry.poNumber} was ${entry.forecastNo}, then ${forecastNo}`);
    }
    entry.forecastNo = forecastNo;
  }

  /** Counts of what was acknowledged. */
  get totals(): { forecasts: number; weighings: number } {
    const entries = [...this.entries.values()];
    return {
      forecasts: entries.filter((entry) => entry.forecastNo !== undefined).length,
      weighings: entries.filter((entry) => entry.weighingAcknowledged).length,
    };
  }
}

/** Outcome of a ledger check; `violations` is empty when nothing was lost or doubled. */
export interface LedgerReport {
  readonly forecasts: number;
  readonly weighings: number;
  readonly webhooks: number;
  readonly repeatedWebhooks: number;
  readonly violations: readonly string[];
}

const CHECKERS = 8;
/** How long a healed platform may take to become quiet. */
const QUIET_WITHIN_MS = 60_000;

async function checkParcel(client: ApiClient, entry: LedgerEntry, violations: string[]): Promise<void> {
  const answer = await client.call<ForecastDetail>(`/open/v1/forecasts/${entry.poNumber}`);
  if (answer.code !== '0') {
    violations.push(`forecast ${entry.poNumber} was acknowledged and is ${answer.code}`);
    return;
  }
  if (answer.data.forecast_no !== entry.forecastNo) violations.push(`forecast ${entry.poNumber} changed its number`);
  const effects = answer.data.measurements.filter((measurement) => measurement.weight_kg === entry.weightKg).length;
  if (entry.weighingAcknowledged && effects !== 1) violations.push(`weighing ${entry.eventId} had ${effects} effects`);
  if (answer.data.measurements.length > 1)
    violations.push(`forecast ${entry.poNumber} has ${answer.data.measurements.length} measurements`);
}

/** All that were accepted, several side by side. */
async function checkParcels(client: ApiClient, ledger: Ledger, violations: string[]): Promise<void> {
  const left = [...ledger.entries.values()].filter((entry) => entry.forecastNo !== undefined);
  const check = async (): Promise<void> => {
    for (let entry = left.pop(); entry; entry = left.pop()) await checkParcel(client, entry, violations);
  };
  await Promise.all(Array.from({ length: CHECKERS }, check));
}

function checkWebhooks(ledger: Ledger, receivers: readonly WebhookReceiver[], violations: string[]): void {
  for (const receiver of receivers) {
    const idsByPo = new Map<string, Map<string, number>>();
    for (const webhook of receiver.received) {
      const po = String(webhook.body.data.po_number);
      const ids = idsByPo.get(po) ?? new Map<string, number>();
      if (webhook.id !== webhook.body.data.event_id) violations.push(`webhook-id ${webhook.id} is not the event_id`);
      ids.set(webhook.id, Number(webhook.body.data.event_seq));
      idsByPo.set(po, ids);
    }
    for (const entry of ledger.entries.values()) {
      const ids = idsByPo.get(entry.poNumber) ?? new Map<string, number>();
      if (entry.weighingAcknowledged && ids.size !== 1) violations.push(`${entry.poNumber}: ${ids.size} webhook ids for one weighing`);
      const sequence = [...ids.values()].sort((a, b) => a - b);
      if (sequence.some((value, index) => value !== index + 1)) violations.push(`${entry.poNumber}: event_seq ${sequence.join(',')}`);
    }
  }
}

async function allForecastNumbers(client: ApiClient): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { forecasts: Array<{ po_number: string }>; next_cursor: string | null } = await client.expectOk(
      `/open/v1/forecasts?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    found.push(...page.forecasts.map((forecast) => forecast.po_number));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/** Keys of messages that a test puts into a topic to see them dead-lettered begin with this. */
export const PLANTED = 'planted-';

async function checkDeadLetters(admin: ApiClient, violations: string[]): Promise<void> {
  for (const topic of Object.values(topics)) {
    const { dead_letters } = await admin.expectOk<{ dead_letters: DeadLetterView[] }>(`/admin/v1/dead-letters?topic=${topic}&limit=1000`);
    const [first, ...more] = dead_letters.filter(({ key }) => !key?.startsWith(PLANTED));
    if (first) violations.push(`${1 + more.length} dead letters on ${topic}, the first by ${first.group}: ${first.reason}`);
  }
}

/**
 * The oracle of every durability test, on a healed platform: each acknowledged forecast exists once, each acknowledged
 * weighing had its effect once, each endpoint got each event at least once under one webhook-id, sequences have no gap,
 * nothing is dead-lettered that was not {@link PLANTED}.
 * @param client with a key of the tenant that meets no rate limit
 */
export async function checkLedger(
  ledger: Ledger,
  platform: Pick<PlatformProcess, 'admin'>,
  receivers: readonly WebhookReceiver[],
  client: ApiClient,
): Promise<LedgerReport> {
  const expected = [...ledger.entries.values()].filter((entry) => entry.weighingAcknowledged);
  const violations: string[] = [...ledger.contradictions];
  await until(
    () =>
      receivers.every((receiver) => {
        const told = new Set(receiver.received.map((webhook) => webhook.body.data.po_number));
        return expected.every((entry) => told.has(entry.poNumber));
      }),
    { within: QUIET_WITHIN_MS, what: 'all webhooks to arrive' },
  ).catch((error: unknown) => violations.push(String(error)));
  await checkParcels(client, ledger, violations);
  const numbers = await allForecastNumbers(client);
  if (new Set(numbers).size !== numbers.length) violations.push('a po_number is listed twice');
  checkWebhooks(ledger, receivers, violations);
  await checkDeadLetters(platform.admin(), violations);
  const idsByReceiver = receivers.map(({ received }) =>
    received.filter(({ body }) => ledger.entries.has(String(body.data.po_number))).map(({ id }) => id),
  );
  const webhooks = idsByReceiver.reduce((sum, ids) => sum + ids.length, 0);
  const distinct = idsByReceiver.reduce((sum, ids) => sum + new Set(ids).size, 0);
  return { ...ledger.totals, webhooks, repeatedWebhooks: webhooks - distinct, violations };
}
