import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patchIdleTimers } from '@parcelway/bus/kafka-idle-timers';
import { platformMode } from '@parcelway/harness/installation';
import { KafkaOutsider } from '@parcelway/harness/kafka-outsider';
import { onStage, type Stage } from './stage.ts';
import { pause } from './suite.ts';

/** A merchant's server that notes when each po_number arrived first. */
interface Receiver {
  readonly origin: string;
  /** By po_number; instants of `performance.now()`. */
  readonly arrivedAt: ReadonlyMap<string, number>;
  /** Body of the last webhook. */
  readonly lastBody: string;
  close(): Promise<void>;
}

/** Starts a receiver on a free loopback port. It responds with every POST with 204. */
async function startReceiver(): Promise<Receiver> {
  const arrivedAt = new Map<string, number>();
  let lastBody = '';
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      body += chunk;
    });
    req.on('end', () => {
      const now = performance.now();
      res.writeHead(204).end();
      const { data } = JSON.parse(body) as { data: { po_number: string } };
      if (!arrivedAt.has(data.po_number)) arrivedAt.set(data.po_number, now);
      lastBody = body;
    });
  });
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivedAt,
    get lastBody() {
      return lastBody;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A client of the log, as an outside system has it. @param servers variables that name the brokers and the installation */
export function openLog(servers: Readonly<Record<string, string>>): Promise<KafkaOutsider> {
  // A client that wakes up every millisecond would take the processor from what is measured.
  patchIdleTimers();
  return KafkaOutsider.connect(servers);
}

const LOG_SETTLES_WITHIN_MS = 90_000;
/** Longest chain of records in which the consumer of each one appends the next. */
const HOPS = 3;

/** Waits until every consumer has finished all records and those that follow from them. */
async function logSettled(log: KafkaOutsider): Promise<void> {
  for (let hop = 0; hop <= HOPS; hop += 1) {
    await log.untilQuiet(LOG_SETTLES_WITHIN_MS);
    await pause(200);
  }
}

/** Embedded, everything that follows from a submission is done within this time. */
const EMBEDDED_SETTLES_MS = 1500;

/** A platform under load whose demo tenant gets webhooks. */
export interface ReceivingStage extends Stage {
  /** Gets the demo tenant's `parcel.weighed`. */
  readonly receiver: Receiver;
  /** Process ids of the platform, by service; embedded it has one process. */
  pids(): Readonly<Record<string, number>>;
  /** Resolves once the platform has done what follows from the requests before. */
  settled(): Promise<void>;
}

function pidsOf({ platform }: Stage): Readonly<Record<string, number>> {
  if (platformMode() === 'embedded') return { platform: platform.pid };
  return Object.fromEntries(
    platform.services().map(({ name, pid }) => {
      if (pid === null) throw new Error(`${name} does not run`);
      return [name.replace(/-\d+$/, ''), pid];
    }),
  );
}

/** Starts a platform with a webhook endpoint, lets `use` work with it, and clears everything away. */
export async function onReceivingStage<T>(use: (stage: ReceivingStage) => Promise<T>): Promise<T> {
  const receiver = await startReceiver();
  try {
    return await onStage(async (stage) => {
      const log = platformMode() === 'embedded' ? undefined : await openLog(stage.platform.servers);
      try {
        const endpoint = { url: `${receiver.origin}/webhooks`, event_types: ['parcel.weighed'] };
        await stage.platform.client(stage.tenantKey).expectOk('/open/v1/webhook-endpoints', { body: endpoint });
        const settled = (): Promise<void> => (log === undefined ? pause(EMBEDDED_SETTLES_MS) : logSettled(log));
        return await use({ ...stage, receiver, pids: () => pidsOf(stage), settled });
      } finally {
        await log?.close();
      }
    });
  } finally {
    await receiver.close();
  }
}
