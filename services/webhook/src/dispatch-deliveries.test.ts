import { afterEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, type Logger, silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createEventAcceptance, type EventAcceptance } from './accept-event.ts';
import { openSqliteStores } from './adapters/sqlite-stores.ts';
import { Dispatcher, LEASE_MS } from './dispatch-deliveries.ts';
import type { Delivery } from './domain/delivery.ts';
import { type Endpoint, FAILING_LIMIT_MS } from './domain/endpoint.ts';
import { UpkeepLoop } from './keep-up.ts';
import type { Sender, WebhookRequest, WebhookStores } from './ports.ts';
import { until } from './testing/receiver.ts';

const TENANT = 'tnt_one';
const good = { statusCode: 200, error: null, responseBody: '', retryAfter: null, hung: false };
const bad = { ...good, statusCode: 500, error: 'The answer had status 500' };

interface World {
  readonly stores: WebhookStores;
  readonly clock: ManualClock;
  readonly acceptance: EventAcceptance;
  readonly dispatcher: Dispatcher;
  readonly sent: WebhookRequest[];
  readonly warnings: LogFields[];
  add(endpointId: string): Promise<Endpoint>;
  event(): Promise<void>;
  deliveries(endpointId: string): Promise<readonly Delivery[]>;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function world(send: Sender['send'], around: (stores: WebhookStores) => WebhookStores = (stores) => stores): Promise<World> {
  const db = new SqliteDatabase(':memory:');
  const stores = around(await openSqliteStores(db));
  const clock = new ManualClock(Date.parse('2026-11-21T08:00:00Z'));
  const sent: WebhookRequest[] = [];
  const warnings: LogFields[] = [];
  const logger: Logger = { ...silentLogger, warn: (fields) => void warnings.push(fields) };
  const sender: Sender = {
    send(request, signal) {
      sent.push(request);
      return send(request, signal);
    },
    close: async () => undefined,
  };
  const upkeep = new UpkeepLoop({ upkeep: stores.upkeep, clock, logger, retentionMs: 30 * 24 * 3_600_000 });
  const schedule = [0, 3_600_000];
  const tools = { sender, sign: () => 'v1,x', schedule, clock, random: () => 0.5 };
  const dispatcher = new Dispatcher({ queue: stores.queue, tools, clock, logger, pollMs: 20, onDisabled: () => upkeep.nudge() });
  const acceptance = createEventAcceptance({
    intake: stores.intake,
    endpoints: stores.endpoints,
    runner: dispatcher,
    schedule,
    clock,
    random: () => 0.5,
    environment: 'sandbox',
    leaseMs: LEASE_MS,
  });
  upkeep.start();
  dispatcher.start();
  closing.push(async () => {
    await upkeep.stop();
    await dispatcher.stop(100);
    db.close();
  });
  let events = 0;
  return {
    stores,
    clock,
    acceptance,
    dispatcher,
    sent,
    warnings,
    async add(endpointId) {
      const endpoint: Endpoint = {
        tenantId: TENANT,
        endpointId,
        url: `https://${endpointId}.example/`,
        eventTypes: ['parcel.weighed'],
        description: '',
        status: 'enabled',
        disabledReason: null,
        secret: 'whsec_a',
        formerSecret: null,
        formerSecretUntil: null,
        failingSince: null,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      };
      await stores.endpoints.insert(endpoint, 1000);
      return endpoint;
    },
    event() {
      events += 1;
      const at = clock.now();
      const [eventId, forecastNo] = [`evt_${events}`, `FC${events}`];
      return acceptance.accept({
        tenantId: TENANT,
        eventId,
        type: 'parcel.weighed',
        forecastNo,
        poNumber: 'PO',
        occurredAt: at,
        render: () => '{}',
      });
    },
    deliveries: async (endpointId) => (await stores.log.list(TENANT, endpointId, { limit: 100, before: null })).deliveries,
  };
}

/** A receiver that answers only when the call is ended. */
const hang: Sender['send'] = (_request, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ ...bad, statusCode: null, error: 'stopped' }), { once: true });
  });

describe('the dispatcher', () => {
  test('stops the running attempts of a deleted endpoint and starts no more', async () => {
    let ended = 0;
    const w = await world(async (request, signal) => {
      const reply = await hang(request, signal);
      ended += 1;
      return reply;
    });
    await w.add('we_1');
    for (let count = 0; count < 12; count += 1) await w.event();
    await until('the lane to be full', () => w.sent.length === 8);
    await w.stores.endpoints.remove(TENANT, 'we_1');
    w.dispatcher.endpointRemoved('we_1');
    await until('all attempts to end', () => ended === 8);
    expect(w.sent).toHaveLength(8);
  });

  test('a disabled endpoint gets nothing of what waited in memory', async () => {
    const release: (() => void)[] = [];
    const w = await world(() => new Promise((resolve) => release.push(() => resolve(good))));
    const endpoint = await w.add('we_1');
    for (let count = 0; count < 12; count += 1) await w.event();
    await until('the lane to be full', () => w.sent.length === 8);
    const disabled = { ...endpoint, status: 'disabled', disabledReason: 'tenant' } as const;
    await w.stores.endpoints.update(TENANT, 'we_1', () => disabled);
    w.dispatcher.endpointChanged(disabled);
    for (const answer of release.splice(0)) answer();
    await until(
      'the running ones to be recorded',
      async () => (await w.deliveries('we_1')).filter((one) => one.status === 'succeeded').length === 8,
    );
    expect(w.sent).toHaveLength(8);
  });

  test('disables an endpoint after five days of failure, says so, and holds what is pending', async () => {
    const w = await world(async () => bad);
    await w.add('we_1');
    await w.event();
    await until('a failure', async () => (await w.stores.endpoints.get(TENANT, 'we_1'))?.failingSince !== null);
    w.clock.advance(FAILING_LIMIT_MS);
    await w.event();
    await until('all to be held or failed', async () =>
      (await w.deliveries('we_1')).every(({ status }) => status === 'held' || status === 'failed'),
    );
    expect(await w.stores.endpoints.get(TENANT, 'we_1')).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(w.warnings).toContainEqual({ tenant_id: TENANT, endpoint_id: 'we_1', reason: 'failing' });
  });

  test('writes results down once the store takes them again, and sends nothing twice meanwhile', async () => {
    let refusals = 0;
    const w = await world(
      async () => good,
      (stores) => ({
        ...stores,
        queue: {
          ...stores.queue,
          record: (results, health) => {
            refusals += 1;
            return refusals <= 2 ? Promise.reject(AppError.unavailable('The disk is full')) : stores.queue.record(results, health);
          },
        },
      }),
    );
    await w.add('we_1');
    await w.event();
    await until('the result', async () => (await w.deliveries('we_1'))[0]?.status === 'succeeded');
    expect(w.sent).toHaveLength(1);
    expect(refusals).toBe(3);
  });

  test('however many endpoints hang, there is room for one that answers', async () => {
    const isGood = ({ url }: WebhookRequest): boolean => url.includes('we_ok');
    const w = await world((request, signal) => (isGood(request) ? Promise.resolve(good) : hang(request, signal)));
    const hanging = 80;
    for (let count = 0; count < hanging; count += 1) await w.add(`we_${count}`);
    await w.add('we_ok');
    for (let count = 0; count < 20; count += 1) await w.event();
    await until('all of the good one', () => w.sent.filter(isGood).length === 20);
    // With eight each the hanging ones would hold 640 places; together they get half of all, and one more each at most.
    const taken = w.sent.length - 20;
    expect(taken).toBeGreaterThanOrEqual(hanging);
    expect(taken).toBeLessThanOrEqual(256 + hanging);
  });

  test('an endpoint that hangs keeps next to nothing in memory', async () => {
    const answers: (() => void)[] = [];
    const w = await world((request, signal) => {
      const late = new Promise<typeof bad>((resolve) => answers.push(() => resolve({ ...bad, hung: true })));
      return Promise.race([late, hang(request, signal)]);
    });
    await w.add('we_1');
    for (let count = 0; count < 40; count += 1) await w.event();
    await until('the lane to be full', () => w.sent.length === 8);
    answers.shift()?.();
    await until('the failure to be recorded', async () => (await w.deliveries('we_1')).some(({ attemptCount }) => attemptCount === 1));
    let given = 0;
    await until('the others to be given back', async () => {
      const now = w.clock.now();
      given += (await w.stores.queue.lease([{ endpointId: 'we_1', count: 100 }], now, now + LEASE_MS)).length;
      return given >= 30;
    });
    // Seven are being sent, one is to be tried again in an hour, two wait.
    expect(given).toBe(30);
  });

  test('a 410 from an address that the endpoint has left does not disable it, and the event goes to the new one', async () => {
    let answer: (() => void) | undefined;
    const w = await world(({ url }) => {
      if (url.includes('new')) return Promise.resolve(good);
      return new Promise((resolve) => {
        answer = () => resolve({ ...bad, statusCode: 410, error: 'The answer had status 410' });
      });
    });
    await w.add('we_1');
    await w.event();
    await until('the attempt', () => answer !== undefined);
    w.clock.advance(1000);
    const moved = await w.stores.endpoints.update(TENANT, 'we_1', (one) => ({
      ...one,
      url: 'https://new.example/',
      updatedAt: w.clock.now(),
    }));
    w.dispatcher.endpointChanged(moved as Endpoint);
    answer?.();
    await until('the delivery', async () => (await w.deliveries('we_1'))[0]?.status === 'succeeded');
    expect(w.sent.map(({ url }) => url)).toEqual(['https://we_1.example/', 'https://new.example/']);
    expect(await w.stores.endpoints.get(TENANT, 'we_1')).toMatchObject({ status: 'enabled' });
  });
});
