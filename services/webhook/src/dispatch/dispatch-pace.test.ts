import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { FAILURES_TO_OPEN, FIRST_COOLDOWN_MS } from '../endpoints/domain/circuit.ts';
import { change, type Endpoint } from '../endpoints/domain/endpoint.ts';
import { bad, closeWorlds, events, good, openWorld, statuses, TENANT, type World } from '../testing/dispatch-world.ts';
import type { Reply } from './domain/settle.ts';

afterEach(closeWorlds);

const busy = { ...bad, statusCode: 429, error: 'The response had status 429' };

/** A world whose endpoint has responded to its first event with 429 and asked for 30 seconds; it accepts whatever comes afterwards. */
async function slowedWorld(): Promise<World> {
  let responses = 0;
  const w = await openWorld(async () => {
    responses += 1;
    return responses === 1 ? { ...busy, retryAfter: '30' } : good;
  });
  await w.add('ep_1');
  await w.event();
  await until(async () => (await w.deliveries('ep_1'))[0]?.attemptCount === 1, { what: 'the refusal' });
  return w;
}

describe('an endpoint that keeps failing', () => {
  test('is only probed once its circuit is open, keeps what waits, and gets all of it when it is back', async () => {
    let isDown = true;
    const w = await openWorld(async () => (isDown ? bad : good));
    await w.add('ep_1');
    await events(w, 40);
    const stored = async () => (await w.stores.endpoints.get(TENANT, 'ep_1'))?.circuit;
    await until(stored, { what: 'the circuit to open' });
    await w.looks();
    // Those that ran side by side when the last failure came in are the only ones more.
    const sent = w.sent.length;
    expect(sent).toBeGreaterThanOrEqual(FAILURES_TO_OPEN);
    expect(sent).toBeLessThan(FAILURES_TO_OPEN + 8);
    expect((await w.deliveries('ep_1')).filter(({ attemptCount }) => attemptCount === 0)).toHaveLength(40 - sent);

    w.clock.advance(2 * FIRST_COOLDOWN_MS);
    await until(() => w.sent.length === sent + 1, { what: 'a probe' });
    await until(async () => ((await stored())?.cooldownMs ?? 0) > FIRST_COOLDOWN_MS, { what: 'the circuit to open for longer' });
    await w.looks();
    expect(w.sent).toHaveLength(sent + 1);

    isDown = false;
    w.clock.advance(4 * FIRST_COOLDOWN_MS);
    await until(async () => ((await statuses(w))['succeeded'] ?? 0) === 40 - sent - 1, { what: 'the rest' });
    expect((await w.stores.endpoints.get(TENANT, 'ep_1'))?.circuit).toBeNull();
  });

  test('has its circuit closed by the tenant who enables it again', async () => {
    let isDown = true;
    const w = await openWorld(async () => (isDown ? bad : good));
    const endpoint = await w.add('ep_1', { circuit: { openUntil: w.clock.now() + 60_000, cooldownMs: 60_000 } });
    await w.event();
    await w.looks();
    expect(w.sent).toHaveLength(0);
    isDown = false;
    const enabled = await w.stores.endpoints.update(TENANT, 'ep_1', (current) => ({
      ...current,
      circuit: null,
      updatedAt: current.updatedAt + 1,
    }));
    w.dispatcher.endpointChanged(enabled ?? endpoint);
    await until(async () => ((await statuses(w))['succeeded'] ?? 0) === 1, { what: 'it' });
  });

  test('gets in the end what was being stored while its circuit opened', async () => {
    const responses: ((reply: Reply) => void)[] = [];
    let stored: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (stored = resolve));
    const w = await openWorld(
      () => new Promise((resolve) => responses.push(resolve)),
      (stores) => ({
        ...stores,
        intake: {
          ...stores.intake,
          async accept(entries, now) {
            const outcomes = await stores.intake.accept(entries, now);
            if (entries.some(({ event }) => event.eventId === 'evt_2')) await slow;
            return outcomes;
          },
        },
      }),
    );
    await w.add('ep_1', { circuit: { openUntil: w.clock.now() - 1, cooldownMs: FIRST_COOLDOWN_MS } });
    await w.event();
    await until(() => responses.length === 1, { what: 'the probe' });
    const second = w.event();
    await until(async () => (await w.deliveries('ep_1')).length === 2, { what: 'the second one to be stored' });
    responses[0]?.(bad);
    await until(async () => ((await w.stores.endpoints.get(TENANT, 'ep_1'))?.circuit?.openUntil ?? 0) > w.clock.now(), {
      what: 'the circuit to open',
    });
    stored();
    await second;
    await w.looks();
    expect(w.sent).toHaveLength(1);
    w.clock.advance(4 * FIRST_COOLDOWN_MS);
    await until(() => responses.length === 2, { what: 'the next probe' });
    responses[1]?.(good);
    await until(async () => ((await statuses(w))['succeeded'] ?? 0) === 1, { what: 'it' });
  });

  test('is not suspended because of failed test events', async () => {
    const w = await openWorld(async () => bad);
    await w.add('ep_1');
    for (let count = 0; count < FAILURES_TO_OPEN + 5; count += 1) await w.acceptance.sendTest(TENANT, 'ep_1');
    await until(async () => (await statuses(w))['failed'] === FAILURES_TO_OPEN + 5, { what: 'all to fail' });
    expect(await w.stores.endpoints.get(TENANT, 'ep_1')).toMatchObject({ circuit: null, failingSince: null });
  });
});

describe('an endpoint that says it has too much', () => {
  test('is not slowed down by what the receiver says that it has left', async () => {
    const responses: ((reply: Reply) => void)[] = [];
    const w = await openWorld(({ url }) =>
      url.includes('new') ? Promise.resolve(good) : new Promise((resolve) => responses.push(resolve)),
    );
    const endpoint = await w.add('ep_1');
    await w.event();
    await until(() => responses.length === 1, { what: 'the attempt' });
    const moved = await w.stores.endpoints.update(TENANT, 'ep_1', (now) => ({
      ...now,
      url: 'https://new.example/',
      updatedAt: now.updatedAt + 1,
    }));
    w.dispatcher.endpointChanged(moved ?? endpoint);
    responses[0]?.({ ...busy, retryAfter: '30' });
    await until(async () => (await w.deliveries('ep_1'))[0]?.attemptCount === 1, { what: 'the refusal' });
    await w.event();
    await until(async () => (await statuses(w))['succeeded'] === 1, { what: 'the new receiver to get the next one' });
  });

  test('gets nothing for as long as Retry-After says, and then goes on', async () => {
    const w = await slowedWorld();
    await events(w, 5);
    await w.looks();
    expect(w.sent).toHaveLength(1);
    w.clock.advance(30_000);
    await until(async () => (await statuses(w))['succeeded'] === 5, { what: 'the others' });
  });

  test('has its pause written down, until a success ends it', async () => {
    const w = await slowedWorld();
    const slowedUntil = async () => (await w.stores.endpoints.get(TENANT, 'ep_1'))?.slowedUntil;
    const end = w.clock.now() + 30_000;
    await until(async () => (await slowedUntil()) === end, { what: 'the pause to be kept' });
    await w.event();
    w.clock.advance(30_000);
    await until(async () => (await statuses(w))['succeeded'] === 1, { what: 'the next' });
    await until(async () => (await slowedUntil()) === null, { what: 'the pause to be forgotten' });
  });

  test('gets nothing from a process either that has only read of the pause', async () => {
    const w = await openWorld(async () => good);
    await w.add('ep_1', { slowedUntil: w.clock.now() + 1_500 });
    await w.add('ep_2', { slowedUntil: w.clock.now() + 30_000 });
    await w.event();
    await w.looks();
    expect(w.sent).toHaveLength(0);
    w.clock.advance(30_000);
    await until(() => w.sent.length === 2, { what: 'both' });
  });

  test('is tried at once when its tenant moves it or enables it again', async () => {
    for (const patch of [{ url: 'https://new.example/' }, { status: 'enabled' }] as const) {
      const w = await openWorld(async () => good);
      const status = 'status' in patch ? 'paused' : 'enabled';
      await w.add('ep_1', { slowedUntil: w.clock.now() + 50_000, status, pausedAt: status === 'paused' ? w.clock.now() : null });
      await w.event();
      await w.looks();
      expect(w.sent).toHaveLength(0);
      const changed = await w.stores.endpoints.update(TENANT, 'ep_1', (now) => change(now, patch, w.clock.now()));
      w.dispatcher.endpointChanged(changed as Endpoint);
      await until(() => w.sent.length === 1, { what: 'the attempt' });
    }
  });

  test('is slowed down for others to see by responses behind a success, though all come at once', async () => {
    const responses: ((reply: Reply) => void)[] = [];
    const w = await openWorld(() => new Promise((resolve) => responses.push(resolve)));
    await w.add('ep_1');
    await events(w, 8);
    await until(() => responses.length === 8, { what: 'all to be sent' });
    // A quota of five. The results are written down together, in the turn of the event loop after this one.
    for (const response of responses.slice(0, 5)) response(good);
    for (let step = 0; step < 50; step += 1) await null;
    for (const response of responses.slice(5)) response({ ...busy, retryAfter: '30' });
    await until(async () => (await w.deliveries('ep_1')).every(({ attemptCount }) => attemptCount === 1), { what: 'the results' });
    await until(async () => (await w.stores.endpoints.get(TENANT, 'ep_1'))?.slowedUntil === w.clock.now() + 30_000, { what: 'the pause' });
    expect(w.heldBack).toEqual(Array(8).fill(false));
  });

  test('makes what waits for it wait, and says so of it', async () => {
    const w = await slowedWorld();
    await events(w, 3);
    w.clock.advance(30_000);
    await until(async () => (await statuses(w))['succeeded'] === 3, { what: 'the others' });
    await w.event();
    await until(async () => (await statuses(w))['succeeded'] === 4, { what: 'one more' });
    expect(w.heldBack).toEqual([false, true, true, true, false]);
  });

  test('is sent to again as soon as another process has found that it is well', async () => {
    const w = await openWorld(async () => good);
    const endpoint = await w.add('ep_1', { slowedUntil: w.clock.now() + 50_000 });
    await w.event();
    await w.looks();
    expect(w.sent).toHaveLength(0);
    // The follower looks at what is in use, and passes on what it reads.
    expect(w.dispatcher.endpointsInUse().map(({ endpointId }) => endpointId)).toEqual(['ep_1']);
    await w.stores.endpoints.update(TENANT, 'ep_1', (now) => ({ ...now, slowedUntil: null }));
    w.dispatcher.endpointChanged({ ...endpoint, slowedUntil: null });
    await until(() => w.sent.length === 1, { what: 'the attempt' });
  });

  test('waits no longer than for the shorter pause that has followed a longer one', async () => {
    const w = await openWorld(async () => good);
    const endpoint = await w.add('ep_1', { slowedUntil: w.clock.now() + 9_000 });
    await w.event();
    await w.looks();
    w.dispatcher.endpointChanged({ ...endpoint, slowedUntil: w.clock.now() + 50 });
    w.clock.advance(60);
    await until(() => w.sent.length === 1, { what: 'the attempt', within: 5_000 });
  });
});
