import { join } from 'node:path';
import { start17TrackServer } from '@parcelway/harness/sources/17track-server';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { type Child, runScript, startScript } from '../child-server.ts';
import { closedLoopOf } from '../closed-loop.ts';
import { exactCpuMicrosecondsOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import type { Row } from '../report/row.ts';
import { onStage, type Stage } from '../stage.ts';
import { inCycles, pause, type SuiteOptions } from '../suite.ts';
import { CONNECTION_ID, poNumberOf, trackingNumberOf } from './numbers.ts';
import { type Rate, rowsOfRate } from './rate.ts';
import { rowsAt } from './vendor-rows.ts';

const CONNECTIONS = 50;
const PATH = `/carriers/v1/17track/${CONNECTION_ID}`;
/** The events of the last pushes pass through the log and their consumers within this time. */
const SETTLED_MS = 1_000;

/** Who receives pushes. */
interface Receiver {
  readonly client: RawClient;
  readonly pid: number;
}

/** Sends one push about each parcel. @param rows as the vendor has them by then */
async function send({ client, pid }: Receiver, vendor: SourceServer, parcels: number, rows: ReturnType<typeof rowsAt>): Promise<Rate> {
  const pushes = Array.from({ length: parcels }, (_, index) => vendor.signPush(trackingNumberOf(index + 1), { rows }));
  const before = exactCpuMicrosecondsOf(pid);
  const { perSecond } = await closedLoopOf(CONNECTIONS, parcels, async () => {
    const push = pushes.pop();
    if (push !== undefined) await client.push(PATH, push.body, push.headers);
  });
  await pause(SETTLED_MS);
  return { perSecond, perCpuSecond: (parcels * 1e6) / (exactCpuMicrosecondsOf(pid) - before) };
}

/** Checks that the pushes were more than received. @throws Error when a parcel lacks one of its rows */
async function expectNodes({ platform, tenantKey }: Stage, parcel: number, count: number): Promise<void> {
  const api = platform.client(tenantKey);
  const { data } = await api.call<{ nodes: readonly unknown[] }>(`/open/v1/forecasts/tracking?po_number=${poNumberOf(parcel)}`);
  await api.close();
  if (data.nodes.length !== count) throw new Error(`Parcel ${parcel} has ${data.nodes.length} nodes after ${count} pushes`);
}

async function measure(
  options: SuiteOptions,
  stage: Stage,
  vendor: SourceServer,
  bare: Child<{ origin: string }>,
): Promise<readonly Row[]> {
  const { platform } = stage;
  const parcels = options.scale.quick ? 1_000 : 4_000;
  options.progress(`putting ${parcels} parcels under watch`);
  const file = join(platform.dataDirectory, 'tracking.db');
  await runScript('processes/fill-shipments.js', [file, platform.quickstart.tenant.id, String(parcels), '0']);
  const ours = { client: stage.referenceClient(platform.quickstart.base_url, CONNECTIONS), pid: platform.pid };
  const reference = { client: stage.referenceClient(bare.info.origin, CONNECTIONS), pid: bare.pid };
  const now = Date.now();
  await send(ours, vendor, parcels, rowsAt(now, 1));
  await send(reference, vendor, parcels, rowsAt(now, 1));
  const cycles = await inCycles(options, 'pushes', async (cycle) => {
    const rows = rowsAt(now, 2 + cycle);
    return { ours: await send(ours, vendor, parcels, rows), reference: await send(reference, vendor, parcels, rows) };
  });
  await expectNodes(stage, parcels, 1 + cycles.length);
  return rowsOfRate({ name: '17TRACK pushes that change a status', reference: 'node:http, verifies the signature' }, cycles);
}

/** Pushes of 17TRACK through the gateway, each with a new row that changes the status of a parcel, next to a server that verifies their signatures. */
export async function measurePushes(options: SuiteOptions): Promise<readonly Row[]> {
  const vendor = await start17TrackServer();
  const { baseUrl, credentials } = vendor;
  const connection = { id: CONNECTION_ID, source: '17track', base_url: baseUrl, carriers: ['*'], credentials };
  const bare = await startScript<{ origin: string }>('processes/push-server.js', [credentials['key'] ?? '']);
  try {
    return await onStage((stage) => measure(options, stage, vendor, bare), { TRACKING_SOURCES: JSON.stringify([connection]) });
  } finally {
    await bare.stop();
    await vendor.close();
  }
}
