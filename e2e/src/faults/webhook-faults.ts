import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expectRoute } from '@parcelway/harness/route-call';
import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import type { Fault, FaultStage, Findings } from './fault.ts';

/* Faults of merchants' endpoints. The tests of services/webhook/src/dispatch show how an attempt ends and when the next one comes. */

/** How long an endpoint misbehaves. */
const MISBEHAVES_MS = 8000;
/** Longer than the 15 s of an attempt, so that some time out. */
const BEYOND_DEADLINE_MS = 18_000;

/** How the second endpoint misbehaves. The ledger checks that it gets everything in the end. */
interface Misbehaviour {
  readonly forMs?: number;
  begin(bad: WebhookReceiver): unknown;
  end(bad: WebhookReceiver, stage: FaultStage): unknown;
}

/** Handles each attempt with `manner` and accepts none. */
const refuses = (manner: (res: ServerResponse) => void, forMs = MISBEHAVES_MS): Misbehaviour => ({
  forMs,
  begin(bad) {
    bad.refuse = manner;
  },
  end(bad) {
    bad.refuse = undefined;
  },
});

/** A 200 is a 200, although its body never ends: the attempt succeeds. */
const endless: Misbehaviour = {
  begin(bad) {
    bad.respond = (_webhook, res) => {
      const writing = setInterval(() => res.write('x'.repeat(8 * 1024)), 20);
      res.writeHead(200, { 'content-type': 'text/plain' }).once('close', () => clearInterval(writing));
    };
  },
  end(bad) {
    bad.respond = (_webhook, res) => res.writeHead(204).end();
  },
};

/** Responds with 410, until it is enabled again and its missed events are replayed. */
const gone: Misbehaviour = {
  ...refuses((res) => res.writeHead(410).end()),
  async end(bad, { merchant: { client }, endpointId }) {
    bad.refuse = undefined;
    const path = { endpoint_id: endpointId };
    await expectRoute(client, 'updateEndpoint', { path, body: { status: 'enabled' } });
    const body = { since: new Date(Date.now() - 120_000).toISOString(), only: 'undelivered' };
    // Repeated until nothing is left: events in flight while it is enabled are still held.
    const replay = async (): Promise<boolean> =>
      (await expectRoute<{ scheduled: number }>(client, 'replayDeliveries', { path, body })).scheduled === 0;
    await until(replay, { within: 30_000, everyMs: 1000, what: 'nothing to be left to replay' });
  },
};

const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  [`is down for ${MISBEHAVES_MS / 1000} s`]: { begin: (bad) => bad.stop(), end: (bad) => bad.listen() },
  'does not respond': refuses(() => undefined, BEYOND_DEADLINE_MS),
  'responds without an end': endless,
  'responds with 410': gone,
};

/** Has the second endpoint misbehave. The first one must receive events meanwhile. */
async function strike(stage: FaultStage, { forMs = MISBEHAVES_MS, begin, end }: Misbehaviour): Promise<Findings> {
  const [good, bad] = stage.receivers;
  const before = good.received.length;
  await begin(bad);
  await pause(forMs);
  const during = good.received.length - before;
  await end(bad, stage);
  return {
    observed: `the other endpoint received ${during} webhooks meanwhile`,
    violations: during === 0 ? ['the other endpoint received nothing'] : [],
  };
}

/** Faults of merchants' endpoints. */
export const webhookFaults: readonly Fault[] = Object.entries(misbehaviours).map(([name, misbehaviour]) => ({
  name: `an endpoint ${name}`,
  group: 'Webhooks',
  expected: 'it gets every missed event; webhooks reach other endpoints meanwhile',
  servers: 'single',
  strike: (stage) => strike(stage, misbehaviour),
}));
