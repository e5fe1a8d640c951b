import { readFileSync } from 'node:fs';
import type { Merchant } from '@parcelway/harness/merchant';
import { Operator } from '@parcelway/harness/operator';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { startEasyPostServer } from '@parcelway/harness/sources/easypost-server';
import { type BurstResult, mixedPushes } from '@parcelway/harness/sources/push-burst';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { connectionTo } from '@parcelway/harness/sources/source-connection';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { burstInProcess } from './burst-process.ts';
import { type CallTimes, type MerchantTimes, queryUntil } from './merchant-load.ts';
import { type PushBurstOptions, readPushBurstOptions, usage } from './options.ts';

/* A burst of pushes at one connection of a platform of its own, and what a merchant notices of it. */

const CONNECTION = 'con-burst';
const PARCELS = 64;
/** How long the merchant is alone first. */
const CALM_MS = 5000;
const BURST_WITHIN_MS = 600_000;

interface Results {
  readonly burst: BurstResult;
  readonly before: MerchantTimes;
  readonly during: MerchantTimes;
}

/** Parcels under watch that the source has not delivered yet. @returns their po_numbers and tracking numbers */
async function parcelsOf(merchant: Merchant, server: SourceServer): Promise<ReadonlyArray<{ poNumber: string; number: string }>> {
  const parcels: Array<{ poNumber: string; number: string }> = [];
  for (let index = 0; index < PARCELS; index += 1) {
    const number = `EZBURST${index}`;
    server.addRows(number, recentRow('out for delivery', 60));
    const { po_number: poNumber } = await merchant.submit();
    await merchant.simulate({ po_number: poNumber, step: 'dispatch', carrier_code: 'usps', tracking_number: number });
    parcels.push({ poNumber, number });
  }
  for (const { poNumber } of parcels) await merchant.untilShipped(poNumber, 60_000);
  return parcels;
}

async function measureOn(
  platform: PlatformProcess,
  server: SourceServer,
  { pushes: count, connections }: PushBurstOptions,
): Promise<Results> {
  const merchant = await new Operator(platform).newMerchant();
  const parcels = await parcelsOf(merchant, server);
  const poNumber = String(parcels[0]?.poNumber);
  const { base_url, ca_file } = platform.quickstart;
  const calmUntil = performance.now() + CALM_MS;
  const before = await queryUntil(merchant, poNumber, () => performance.now() >= calmUntil);
  let isOver = false;
  const url = `${base_url}/carriers/v1/${server.name}/${CONNECTION}`;
  const pushes = mixedPushes(
    server,
    parcels.map(({ number }) => number),
  );
  const burst = burstInProcess({ url, ca: readFileSync(ca_file, 'utf8'), connections, count, pushes }, BURST_WITHIN_MS).finally(() => {
    isOver = true;
  });
  const [result, during] = await Promise.all([burst, queryUntil(merchant, poNumber, () => isOver)]);
  return { burst: result, before, during };
}

async function measure(options: PushBurstOptions): Promise<Results> {
  const server = await startEasyPostServer();
  server.setLimits({ requestsPerSecond: null });
  try {
    const env = { TRACKING_SOURCES: JSON.stringify([connectionTo(server, CONNECTION, ['usps'])]) };
    const platform = await PlatformProcess.start({ env });
    try {
      return await measureOn(platform, server, options);
    } finally {
      await platform.dispose();
    }
  } finally {
    await server.close();
  }
}

function describe(name: string, before: CallTimes, during: CallTimes): string {
  const shown = ({ calls, failed, p50, p95, p99 }: CallTimes): string =>
    `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${calls} calls, ${failed} failed)`;
  return `${name}\n  before  ${shown(before)}\n  during  ${shown(during)}\n  p95 ${(during.p95 / before.p95).toFixed(1)} × that of before\n`;
}

const options = readPushBurstOptions(process.argv.slice(2));
if (options.help) {
  process.stdout.write(usage());
} else {
  const results = await measure(options);
  const { burst, before, during } = results;
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
  else {
    const statuses = Object.entries(burst.statuses).map(([kind, counts]) => `${kind}: ${JSON.stringify(counts)}`);
    process.stdout.write(
      `${options.pushes} pushes over ${options.connections} connections in ${burst.seconds.toFixed(1)} s, ${(options.pushes / burst.seconds).toFixed(0)} a second\n` +
        `  responses by status, ${statuses.join(', ')}\n` +
        describe('tracking query', before.trackingQuery, during.trackingQuery) +
        describe('query of a forecast', before.forecastQuery, during.forecastQuery),
    );
  }
}
