import { afterEach, describe, expect, test } from '@jest/globals';
import type { SignedPush } from '@parcelway/harness/sources/source-server';
import { until } from '@parcelway/kernel/testing/until';
import { LONG_ID, type PushedService, startPushed } from './testing/pushed-service.ts';
import { numberOf, rowAgo } from './testing/source-driver.ts';

const MB = 1024 * 1024;

const scan = rowAgo('in transit', 10);
const delivery = rowAgo('delivered', 1);
/** The credential that proves the pushes of a source. */
const secrets = [
  ['17track', 'key'],
  ['dhl', 'push_token'],
] as const;

let service: PushedService;
afterEach(() => service.close());

/** A parcel under way, whose delivery nobody has reported. */
async function startWatch(name: string, ...more: Parameters<typeof startPushed>[1][]): Promise<string> {
  service = await startPushed(name, ...more);
  const number = numberOf(name);
  service.server.addRows(number, scan);
  await service.dispatch('FC1', number);
  await service.untilStatus('In Transit');
  return number;
}

/** A delivery that only the attacker knows of. */
const forged = (number: string, options: Parameters<PushedService['server']['signPush']>[1] = {}): SignedPush =>
  service.server.signPush(number, { rows: [scan, delivery], ...options });

async function expectUnchanged(): Promise<void> {
  expect(await service.stored('FC1')).toBe('In Transit');
  expect(service.statuses()).toEqual(['In Transit']);
}

describe.each(secrets)('a push of %s', (name, secretName) => {
  test('with the secret of another connection is refused, and one to that connection is about the parcels that it serves', async () => {
    const foreign = 'the-secret-of-the-other-connection';
    const number = await startWatch(name, (server) => [
      {},
      { id: 'another-connection-of-the-operator', carriers: ['fedex'], credentials: { ...server.credentials, [secretName]: foreign } },
    ]);
    const push = forged(number, { secret: foreign });
    expect(await service.push(push)).toBe(401);
    expect(await service.push(push, { id: 'another-connection-of-the-operator' })).toBe(200);
    await expectUnchanged();
  });

  test('to an address that does not exist is refused, right or not', async () => {
    const number = await startWatch(name);
    for (const address of [
      { id: 'nobody' },
      { source: 'ups' },
      { source: 'nobody' },
      { id: LONG_ID.toUpperCase() },
      { id: '..%2Finternal' },
    ]) {
      expect(await service.push(forged(number), address)).toBe(404);
      expect(await service.push({ body: 'x', headers: {} }, address)).toBe(404);
    }
    await expectUnchanged();
  });

  test.each<[string, string]>([
    ['a megabyte of garbage', '\u0000garbage'.repeat(MB / 8)],
    ['a list in a list', `${'['.repeat(MB / 2)}${']'.repeat(MB / 2)}`],
  ])('of %s is refused, and the next one counts', async (_what, body) => {
    const number = await startWatch(name);
    const { headers } = forged(number, { signs: body });
    expect(await service.push({ body, headers })).toBe(400);
    expect(await service.push({ body, headers: {} })).toBe(401);
    await expectUnchanged();
    expect(await service.push(forged(number))).toBe(200);
    expect(await service.stored('FC1')).toBe('Delivery Success');
    const counted = service.driver.telemetry.recorded('parcelway_source_pushes_total').map(([{ outcome }]) => outcome);
    expect(counted).toEqual(['unreadable', 'refused', 'accepted']);
  });

  test('of more than a megabyte is not read', async () => {
    const number = await startWatch(name);
    const body = ' '.repeat(MB + 1);
    expect(await service.push({ body, headers: forged(number, { signs: body }).headers })).toBe(413);
    await expectUnchanged();
  });
});

test('a push that nothing can prove is refused', async () => {
  const number = await startWatch('dhl', ({ credentials: { push_token: _token, ...credentials } }) => [{ credentials }]);
  expect(await service.push(forged(number, { isUnsigned: true }))).toBe(401);
  await expectUnchanged();
});

test('of a burst of pushes each is accepted and durable, or is to be sent again', async () => {
  service = await startPushed('17track');
  // More than a connection may have under way.
  const parcels = Array.from({ length: 160 }, (_, index) => ({ forecastNo: `FC${index}`, number: numberOf('17track', index) }));
  await Promise.all(parcels.map(({ forecastNo, number }) => service.dispatch(forecastNo, number)));
  for (const { forecastNo } of parcels) await until(async () => (await service.stored(forecastNo)) !== undefined, { what: forecastNo });
  let waiting = parcels;
  let accepted = 0;
  for (let round = 0; waiting.length > 0; round += 1) {
    expect(round).toBeLessThan(20);
    const sent = await Promise.all(waiting.map(async (parcel) => ({ parcel, status: await service.push(forged(parcel.number)) })));
    expect(sent.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const taken = sent.filter(({ status }) => status === 200);
    expect(taken.length).toBeGreaterThan(0);
    accepted += taken.length;
    for (const { parcel } of taken) expect(await service.stored(parcel.forecastNo)).toBe('Delivery Success');
    waiting = sent.filter(({ status }) => status === 503).map(({ parcel }) => parcel);
  }
  expect(accepted).toBe(parcels.length);
  await until(() => service.driver.changes.length === parcels.length, { what: 'the events' });
  expect(new Set(service.driver.changes.map(({ subject }) => subject)).size).toBe(parcels.length);
});
