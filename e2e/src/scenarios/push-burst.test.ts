import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { connectionTo, recentRow, type SignedPush } from '@parcelway/harness/sources/source-server';
import { until } from '@parcelway/kernel/testing/until';
import { Pool } from 'undici';
import { dispatchedWith, newTrackingNumber, pushTo, useSourceServer } from '../source-parcels.ts';
import { useMerchant, useStageWithMerchant } from '../use-stage.ts';

/* 10,000 pushes at one connection, most of them forged, while a merchant works. */

const BURST = { count: 10_000, connections: 64 };
/** What another connection gets meanwhile. */
const CALM = { count: 50, connections: 1 };
const PARCELS = 8;
const PATH = 'easypost/con-burst';
const CALM_PATH = 'easypost/con-calm';

const source = useSourceServer('easypost');
const { stage, merchant } = useStageWithMerchant(() => ({
  TRACKING_SOURCES: JSON.stringify([connectionTo(source, 'con-burst', ['usps']), connectionTo(source, 'con-calm', ['fedex'])]),
}));
const other = useMerchant(stage);

/** One signed push for a number and three forged ones: unsigned, signed with another secret, and garbage. */
function mixed(number: string): readonly (SignedPush & { readonly isForged: boolean })[] {
  const [signed, rows] = [source.signPush(number), [recentRow('delivered', 1)]];
  return [
    { isForged: true, ...source.signPush(number, { rows, isUnsigned: true }) },
    { isForged: false, ...signed },
    { isForged: true, ...source.signPush(number, { rows, secret: 'a-secret-of-somebody-else' }) },
    { isForged: true, headers: signed.headers, body: randomBytes(1024).toString('hex') },
  ];
}

/** Sends pushes in turn, as fast as the connections allow. @returns how many responses there were, by status; 0 stands for none */
async function send(
  path: string,
  pushes: readonly SignedPush[],
  { count, connections }: typeof BURST,
): Promise<ReadonlyMap<SignedPush, Map<number, number>>> {
  const { base_url } = stage.platform.quickstart;
  const pool = new Pool(base_url, { connections, pipelining: 1, connect: { ca: stage.target.ca } });
  const statuses = new Map(pushes.map((push) => [push, new Map<number, number>()]));
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < count) {
      const push = pushes[begun % pushes.length] as SignedPush;
      begun += 1;
      const { body } = push;
      const headers = { 'content-type': 'application/json', ...push.headers };
      const options = { method: 'POST', path: `/carriers/v1/${path}`, body, headers, signal: AbortSignal.timeout(30_000) } as const;
      const status = await pool.request(options).then(
        ({ statusCode, body: response }) => response.dump().then(() => statusCode),
        () => 0,
      );
      const own = statuses.get(push);
      own?.set(status, (own.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, work)).finally(() => pool.destroy());
  return statuses;
}

test('each push of a burst is accepted or refused while the API keeps working', async () => {
  const parcels = await Promise.all(
    Array.from({ length: PARCELS }, async () => {
      const number = newTrackingNumber('EZ');
      source.addRows(number, recentRow('in transit', 180));
      const poNumber = await dispatchedWith(merchant, 'usps', number);
      await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 1, 'what the source knows', 20_000);
      source.addRows(number, recentRow('out for delivery', 60));
      return { number, poNumber };
    }),
  );
  const calmNumber = newTrackingNumber('EZ');
  source.addRows(calmNumber, recentRow('in transit', 180));
  const calmPoNumber = await dispatchedWith(merchant, 'fedex', calmNumber);
  const pushes = parcels.flatMap(({ number }) => mixed(number));
  let isOver = false;
  const burst = send(PATH, pushes, BURST).finally(() => {
    isOver = true;
  });
  // Both throw unless they get what they ask for.
  const { po_number } = await other.submit({ forecastType: 1 });
  source.addRows(calmNumber, recentRow('delivered', 1));
  const calmPush = source.signPush(calmNumber);
  const calm = send(CALM_PATH, [calmPush], CALM);
  do await Promise.all([other.tracking(po_number), other.forecast(po_number), merchant.tracking(String(parcels[0]?.poNumber))]);
  while (!isOver);

  // A burst at one connection refuses no push of another.
  expect([...(await calm).values()]).toEqual([new Map([[200, CALM.count]])]);
  expect(await merchant.tracking(calmPoNumber)).toMatchObject({ latest_status: 'Delivery Success', is_terminal: true });

  const responses = await burst;
  const statusesOf = (isForged: boolean): number[] =>
    pushes.filter((push) => push.isForged === isForged).flatMap((push) => [...(responses.get(push)?.keys() ?? [])]);
  for (const [isForged, right] of [[false, 200] as const, [true, 401] as const]) {
    expect(statusesOf(isForged)).toContain(right);
    expect(statusesOf(isForged).filter((status) => ![right, 429, 503].includes(status))).toEqual([]);
  }
  expect([...responses.values()].flatMap((counts) => [...counts.values()]).reduce((sum, count) => sum + count, 0)).toBe(BURST.count);

  // What was taken has had its effect, once; what was forged has had none; and pushes are taken as before.
  for (const { number, poNumber } of parcels) {
    const statuses = (await merchant.tracking(poNumber)).nodes.map(({ admin_status }) => admin_status);
    expect(statuses).toEqual(['In Delivery', 'In Transit']);
    source.addRows(number, recentRow('delivered', 1));
    await until(async () => (await pushTo(stage, PATH, source.signPush(number))).status === 200, { what: 'a push to be taken' });
    expect(await merchant.tracking(poNumber)).toMatchObject({ latest_status: 'Delivery Success', is_terminal: true });
  }
}, 120_000);
