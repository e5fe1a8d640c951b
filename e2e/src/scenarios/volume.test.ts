import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useMerchant, useOpened, useStageWithMerchant } from '../use-stage.ts';

/*
 * What a merchant sees says nothing of how much others do. One merchant does the same in every round; between its rounds another does a lot
 * more. A number that counts what all tenants do would rise by at least that much from round to round.
 */

const ROUNDS = 5;
/** A random number may rise from round to round by chance: more rounds distinguish it from a count, which goes on rising. */
const MOST_ROUNDS = 12;
/** What the other merchant does between two rounds, of each kind. */
const BETWEEN = 6;
/** A counter rises by no more: each round makes some tens of rows of any kind. */
const MOST = 1000;

interface Page {
  readonly next_cursor: string | null;
}

const { stage, merchant: watcher } = useStageWithMerchant();
const other = useMerchant(stage);
const receiver = useOpened('receiver', () => stage.receiver());
const endpoint = useOpened('endpoint', () => watcher.createEndpoint({ url: receiver.url }));
beforeAll(async () => {
  await other.createEndpoint({ url: receiver.url });
  // One of each is there, so that every list has a next page.
  await act(watcher);
});

/** A parcel that arrives with a photo and is weighed with another, and a file. @returns what the merchant sees meanwhile */
async function act(merchant: Merchant) {
  const uploaded = await merchant.upload('a.pdf', samplePdf(newPoNumber('PDF')));
  const accepted = await merchant.submit({ poNumber: `PO-${randomUUID()}` });
  const { po_number } = accepted;
  await merchant.simulate({ po_number, step: 'arrive', image_types: ['package'] });
  await merchant.simulate({ po_number, step: 'weigh', photos: 1 });
  const sent = await receiver.waitForEvent('parcel.weighed', po_number);
  const weighing = await merchant.untilWeighing(po_number, (data) => data.forecast_images.length === 1);
  return { uploaded, accepted, weighing, sent: { headers: sent.headers, body: sent.body } };
}

/** Everything that the watcher can ask for after acting. */
async function look() {
  const acted = await act(watcher);
  const { client } = watcher;
  const path = { endpoint_id: endpoint.endpoint_id };
  const deliveries = await until(
    async () => {
      const page = await expectRoute<Page & { deliveries: Delivery[] }>(client, 'listDeliveries', { path, query: { limit: 1 } });
      return page.deliveries[0]?.status === 'succeeded' && page.next_cursor !== null ? page : undefined;
    },
    { within: 10_000, what: 'the newest delivery to succeed' },
  );
  const deliveryPath = { ...path, delivery_id: String(deliveries.deliveries[0]?.delivery_id) };
  return {
    ...acted,
    forecast: await watcher.forecast(acted.accepted.po_number),
    forecasts: await expectRoute<Page>(client, 'listForecasts', { query: { limit: 1 } }),
    deliveries,
    delivery: await expectRoute(client, 'getDelivery', { path: deliveryPath }),
    attempts: await expectRoute(client, 'listAttempts', { path: deliveryPath }),
    feed: await expectRoute<Page>(client, 'listEvents', { query: { limit: 1 } }),
    feedEnd: await expectRoute<Page>(client, 'listEvents', { query: { since: new Date(Date.now() + 60_000).toISOString() } }),
    listening: await expectRoute<Page>(client, 'listen'),
    photo: (await client.fetchBytes(String(acted.weighing.weighing_images[0]?.image_url))).headers,
  };
}

type Leaves = Map<string, readonly number[]>;

/** The numbers in each field of a response, by its path; times left out. */
function numbersIn(value: unknown, path = '', found: Leaves = new Map()): Leaves {
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    for (const [name, part] of Object.entries(value)) numbersIn(part, `${path}/${name}`, found);
  } else if (typeof value === 'number') found.set(path, [value]);
  else if (typeof value === 'string' && !/^\d{4}-\d\d-\d\d[T ]|GMT$/.test(value) && !/timestamp|_?date$/.test(path)) {
    found.set(
      path,
      [...value.matchAll(/\d{1,15}/g)].map(([digits]) => Number(digits)),
    );
  }
  return found;
}

/** True when the values rise from round to round as a count of what all tenants do. */
function countsOthers(values: readonly (number | undefined)[]): boolean {
  return values.slice(1).every((value, index) => {
    const rise = Number(value) - Number(values[index]);
    return rise >= BETWEEN && rise <= MOST;
  });
}

test('no number, cursor or header of a merchant rises with what another merchant does', async () => {
  const rounds: Awaited<ReturnType<typeof look>>[] = [];
  const numbers: Leaves[] = [];
  const playRound = async (): Promise<void> => {
    const round = await look();
    rounds.push(round);
    numbers.push(numbersIn(round));
    for (let count = 0; count < BETWEEN; count += 1) await act(other);
  };
  while (rounds.length < ROUNDS) await playRound();

  const paths = [...(numbers[0] as Leaves).keys()];
  for (const shown of ['/uploaded/data/attachment_id', '/weighing/weighing_images/0/id', '/weighing/forecast_images/0/forecast_id'])
    expect(paths).toContain(shown);
  const counting = (): string[] =>
    paths.filter((path) => {
      const [first = []] = numbers.map((leaves) => leaves.get(path));
      return first.some((_value, place) => countsOthers(numbers.map((leaves) => leaves.get(path)?.[place])));
    });
  while (counting().length > 0 && rounds.length < MOST_ROUNDS) await playRound();
  expect(counting()).toEqual([]);

  for (const name of ['forecasts', 'deliveries', 'feed', 'feedEnd', 'listening'] as const) {
    const cursors = rounds.map((round) => String(round[name].next_cursor));
    const texts = cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString('latin1'));
    expect(texts.filter((text) => /^[\x20-\x7e]*$/.test(text))).toEqual([]);
    expect(new Set(cursors.map(({ length }) => length)).size).toBe(1);
  }
}, 120_000);
