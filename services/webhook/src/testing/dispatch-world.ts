import { createMemoryRateLimiter } from '@parcelway/cache/memory-rate-limiter';
import type { RateLimiter } from '@parcelway/cache/rate-limiter';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, type Logger, silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { openSqliteStores } from '../adapters/sqlite-stores.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Reply } from '../dispatch/domain/settle.ts';
import type { FullOutcome } from '../dispatch/full-payloads.ts';
import type { FullContent, Sender, WebhookRequest } from '../dispatch/ports.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { createEventAcceptance, type EventAcceptance } from '../intake/accept-events.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import type { WebhookStores } from '../ports.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { LEASE_MS } from '../queue/domain/lease.ts';
import { MaintenanceLoop } from '../retention/maintenance.ts';
import { createDisablings } from '../retention/notify-disablings.ts';
import { endpointFor, eventFor } from './webhook-fixtures.ts';

/** Whose endpoints they are. */
export const TENANT = 'tnt_one';
const DAY_MS = 24 * 3_600_000;
/** A response of 200. */
export const good: Reply = { statusCode: 200, error: null, errorCode: null, responseBody: '', retryAfter: null };
/** A response of 500. */
export const bad: Reply = { ...good, statusCode: 500, error: 'The response had status 500', errorCode: 'status' };

/** A dispatcher on stores in memory, with a clock that stands still and receivers made by the test. */
export interface World {
  readonly stores: WebhookStores;
  readonly clock: ManualClock;
  readonly acceptance: EventAcceptance;
  readonly dispatcher: Dispatcher;
  readonly sent: WebhookRequest[];
  readonly warnings: LogFields[];
  /** What became of full payloads. */
  readonly fullPayloads: FullOutcome[];
  /** Attempts that were reported. */
  readonly reported: AttemptResult[];
  /** Of each of them whether it had to wait because its receiver had asked for less. */
  readonly heldBack: boolean[];
  add(endpointId: string, given?: Partial<Endpoint>): Promise<Endpoint>;
  event(given?: Partial<TenantEvent>): Promise<void>;
  deliveries(endpointId: string): Promise<readonly Delivery[]>;
  /** Resolves when the dispatcher has looked for due deliveries several times more, and could have done what it must not. */
  looks(): Promise<void>;
}

const closing: (() => Promise<void>)[] = [];

/** Ends what was opened; for `afterEach`. */
export async function closeWorlds(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** What the dispatcher of a world is made of. */
interface DispatchingOptions {
  readonly stores: WebhookStores;
  readonly clock: ManualClock;
  readonly logger: Logger;
  readonly sender: Sender;
  readonly report: (result: AttemptResult, heldBack: boolean) => void;
  readonly content: FullContent;
  readonly onFullPayload: (outcome: FullOutcome) => void;
  readonly rateLimiter: Pick<RateLimiter, 'take'> | undefined;
}

/** Starts a dispatcher with the maintenance beside it. @returns both ways in, and what ends them */
function startDispatching({ stores, clock, logger, sender, report, content, onFullPayload, rateLimiter }: DispatchingOptions) {
  const schedule = [0, 3_600_000];
  const attempts = { sender, sign: () => 'v1,x', schedule, clock, random: () => 0.5 };
  const dispatcher = new Dispatcher({
    queue: stores.queue,
    rateLimiter: rateLimiter ?? createMemoryRateLimiter({ clock }),
    attempts,
    clock,
    logger,
    pollMs: 20,
    report,
    content,
    onFullPayload,
    onDisabled: () => maintenance.nudge(),
  });
  const acceptance = createEventAcceptance({
    log: stores.log,
    intake: stores.intake,
    endpoints: stores.endpoints,
    runner: dispatcher,
    firstWaitMs: () => 0,
    clock,
    environment: 'sandbox',
    leaseMs: LEASE_MS,
  });
  const disablings = createDisablings({ endpoints: stores.endpoints, acceptance, runner: dispatcher, clock });
  const retention = { retentionMs: 30 * DAY_MS, eventRetentionMs: 45 * DAY_MS };
  const maintenance = new MaintenanceLoop({ maintenance: stores.maintenance, clock, logger, ...retention, disablings });
  maintenance.start();
  dispatcher.start();
  const stop = async () => {
    await maintenance.stop();
    await dispatcher.stop(100);
  };
  return { dispatcher, acceptance, stop };
}

/** Nobody is to ask for full data. */
export const noContent: FullContent = { read: () => Promise.reject(new Error('not asked for')) };

/**
 * Opens one.
 * @param around changes how the stores behave
 * @param content what full payloads are made of
 * @param rateLimiter default: one in memory
 */
export async function openWorld(
  send: Sender['send'],
  around: (stores: WebhookStores) => WebhookStores = (stores) => stores,
  content: FullContent = noContent,
  rateLimiter?: Pick<RateLimiter, 'take'>,
): Promise<World> {
  const db = new SqliteDatabase(':memory:');
  const opened = around(await openSqliteStores(db));
  let looked = 0;
  const dueEndpoints: WebhookStores['queue']['dueEndpoints'] = (options) => {
    looked += 1;
    return opened.queue.dueEndpoints(options);
  };
  const stores = { ...opened, queue: { ...opened.queue, dueEndpoints } };
  const clock = new ManualClock(Date.parse('2026-11-21T08:00:00Z'));
  const sent: WebhookRequest[] = [];
  const warnings: LogFields[] = [];
  const reported: AttemptResult[] = [];
  const logger: Logger = { ...silentLogger, warn: (fields) => void warnings.push(fields) };
  const sender: Sender = {
    send(request, interruption) {
      sent.push(request);
      return send(request, interruption);
    },
    close: async () => undefined,
  };
  const heldBack: boolean[] = [];
  const report = (result: AttemptResult, wasHeldBack: boolean): void => {
    reported.push(result);
    heldBack.push(wasHeldBack);
  };
  const fullPayloads: FullOutcome[] = [];
  const onFullPayload = (outcome: FullOutcome): void => void fullPayloads.push(outcome);
  const { dispatcher, acceptance, stop } = startDispatching({ stores, clock, logger, sender, report, content, onFullPayload, rateLimiter });
  closing.push(async () => {
    await stop();
    db.close();
  });
  let events = 0;
  return {
    reported,
    heldBack,
    fullPayloads,
    stores,
    clock,
    acceptance,
    dispatcher,
    sent,
    warnings,
    async add(endpointId, given = {}) {
      const now = clock.now();
      const endpoint = endpointFor(TENANT, { endpointId, url: `https://${endpointId}.example/`, createdAt: now, updatedAt: now, ...given });
      await stores.endpoints.insert(endpoint, 1000);
      return endpoint;
    },
    event(given = {}) {
      events += 1;
      const at = clock.now();
      const [eventId, forecastNo] = [`evt_${events}`, `FC${events}`];
      return acceptance.accept([eventFor(TENANT, forecastNo, { eventId, occurredAt: at, render: () => '{}', ...given })]);
    },
    async looks() {
      const enough = looked + 4;
      await until(() => looked >= enough, { what: 'the dispatcher to look for due deliveries' });
    },
    deliveries: async (endpointId) => (await stores.log.list(TENANT, endpointId, { limit: 100, before: null })).deliveries,
  };
}

/** A receiver that responds only when the call is ended. */
export const hang: Sender['send'] = (_request, interruption) =>
  new Promise((resolve) => {
    interruption.onInterrupt(() => resolve({ ...bad, statusCode: null, error: 'stopped', errorCode: 'failed' }));
  });

/** Has a world accept events. */
export async function events(world: World, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await world.event();
}

/** How many deliveries of the endpoint `ep_1` have which status. */
export const statuses = async (world: World): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { status } of await world.deliveries('ep_1')) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
