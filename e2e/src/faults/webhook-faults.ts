import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { type Misbehaviour, withBadEndpoint } from './bad-endpoint.ts';
import type { ReceiverManner } from './bad-receiver.ts';
import type { Fault } from './fault.ts';

/** How long an endpoint misbehaves. */
const MISBEHAVES_MS = 8000;
/** An attempt has 15 s; more than that, so that some run into it. */
const BEYOND_DEADLINE_MS = 18_000;

/** Does something to each attempt. */
const behaves = (manner: ReceiverManner, forMs = MISBEHAVES_MS): Misbehaviour => ({
  forMs,
  async begin({ receiver }) {
    receiver.manner = manner;
  },
  async end({ receiver }) {
    receiver.manner = undefined;
  },
});

/** Takes attempts with a 200 whose body has no end: a 200 is a 200, however long its body. */
function endlessBody(): Misbehaviour {
  const chunk = Buffer.alloc(8 * 1024, 'x');
  const responded = new Set<string>();
  return {
    ...behaves((id, res) => {
      responded.add(id);
      const writing = setInterval(() => res.write(chunk), 20);
      res.writeHead(200, { 'content-type': 'text/plain' }).once('close', () => clearInterval(writing));
    }),
    async end({ receiver }) {
      receiver.manner = undefined;
      for (const id of responded) receiver.taken.add(id);
    },
  };
}

/** Says that it is gone, until it is enabled again, and what it has missed is replayed. */
const gone: Misbehaviour = {
  ...behaves((_attempt, res) => res.writeHead(410).end()),
  async end({ stage, endpointId, receiver }) {
    receiver.manner = undefined;
    const { client } = stage.merchant;
    const path = { endpoint_id: endpointId };
    await expectRoute(client, 'updateEndpoint', { path, body: { status: 'enabled' } });
    const body = { since: new Date(Date.now() - 120_000).toISOString(), only: 'undelivered' };
    // Asked again until nothing is left: events that are on their way when it is enabled are held still.
    const replay = async (): Promise<boolean> =>
      (await expectRoute<{ scheduled: number }>(client, 'replayDeliveries', { path, body })).scheduled === 0;
    await until(replay, { within: 30_000, everyMs: 1000, what: 'nothing to be left to replay' });
  },
};

/** Takes no connection. */
const down: Misbehaviour = {
  forMs: MISBEHAVES_MS,
  begin: ({ receiver }) => receiver.close(),
  end: ({ receiver }) => receiver.open(),
};

const dripping: ReceiverManner = (_attempt, res) => {
  const drops = setInterval(() => res.write('.'), 1000);
  res.writeHead(200).once('close', () => clearInterval(drops));
};

const misbehaviours: Readonly<Record<string, () => Misbehaviour>> = {
  [`is down for ${MISBEHAVES_MS / 1000} s`]: () => down,
  'does not respond': () => behaves(() => undefined, BEYOND_DEADLINE_MS),
  'responds with a byte a second': () => behaves(dripping, BEYOND_DEADLINE_MS),
  'responds without an end': endlessBody,
  redirects: () => behaves((_attempt, res) => res.writeHead(307, { location: '/elsewhere' }).end()),
  'responds with 429 with Retry-After: 3': () => behaves((_attempt, res) => res.writeHead(429, { 'retry-after': '3' }).end()),
  'responds with 410': () => gone,
};

/** What endpoints of merchants do. How an attempt ends, and when the next comes, is shown by the tests of services/webhook/src/dispatch. */
export const webhookFaults: readonly Fault[] = Object.entries(misbehaviours).map(([name, misbehaviour]) => ({
  name: `an endpoint ${name}`,
  group: 'Webhooks',
  expected: 'it gets all that it has missed; webhooks reach other endpoints as quickly as before',
  servers: 'single',
  strike: (stage) => withBadEndpoint(stage, misbehaviour()),
}));
