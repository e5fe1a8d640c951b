import { gzipSync } from 'node:zlib';
import { until } from '@parcelway/kernel/testing/until';
import { dispatched, notRefused, notServed, publishedChanges, query, slowest, type TimedResponse } from './carrier-queries.ts';
import { type CarrierManner, CarrierServer } from './carrier-server.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';
import { sparePort } from './fault-servers.ts';

const CARRIER_TIMEOUT_MS = 3000;
/** The deadline of a call, and what is around it. */
const MAX_WAIT_MS = CARRIER_TIMEOUT_MS + 2000;
/** For carriers that response. */
const MAX_WAIT_OF_OTHERS_MS = 2000;
/** More than it takes to open the breaker, good responses shortly before included: half of the last ones have to fail. */
const CALLS = 14;
/** Asked then, to see that nobody asks the carrier any more. */
const CALLS_BEHIND = 10;
const MAX_WAIT_WHEN_OPEN_MS = 1000;
/** A response is read to 8 MB; the rest is what the kernel holds of a connection. */
const MAX_TAKEN_BYTES = 16 * 1024 * 1024;
/** An open breaker probes after 10 s. */
const PROBED_WITHIN_MS = 20_000;

const ports = { bad: sparePort(0), good: sparePort(1) } as const;
const connectionTo = (carrier: string, port: number): object => ({
  id: carrier,
  source: 'generic',
  carriers: [carrier],
  credentials: { url: `http://127.0.0.1:${port}/track/{tracking_number}` },
});
const TRACKING_SOURCES = JSON.stringify([connectionTo('badcarrier', ports.bad), connectionTo('goodcarrier', ports.good)]);

/** Asks for the parcel of the bad carrier, and meanwhile for those of others. */
async function askWhileBad(stage: FaultStage, ofBad: string, ofOthers: readonly string[], bad: CarrierServer) {
  const refused: TimedResponse[] = [];
  const served: TimedResponse[] = [];
  const open: TimedResponse[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const others = Promise.all(ofOthers.map((poNumber) => query(stage, poNumber)));
    refused.push(await query(stage, ofBad));
    served.push(...(await others));
  }
  const asked = bad.asked;
  for (let call = 0; call < CALLS_BEHIND; call += 1) open.push(await query(stage, ofBad));
  return { refused, served, open, letThrough: bad.asked - asked };
}

/** One carrier misbehaves and comes to its senses; others go on. */
async function misbehaving(stage: FaultStage, misbehave: (bad: CarrierServer) => Promise<() => Promise<void>>): Promise<Findings> {
  const bad = new CarrierServer(ports.bad);
  const good = new CarrierServer(ports.good);
  try {
    await Promise.all([bad.open(), good.open()]);
    const [ofBad, ...ofOthers] = await Promise.all(['badcarrier', 'goodcarrier', 'simulated'].map((carrier) => dispatched(stage, carrier)));
    if (ofBad === undefined) throw new Error('There is no parcel');
    const responses = async (): Promise<boolean> => (await query(stage, ofBad)).response.data?.nodes?.length === 1;
    const options = { within: PROBED_WITHIN_MS, everyMs: 500, what: 'the carrier to be believed' };
    await until(responses, options);
    const before = (await query(stage, ofBad)).response.data;
    const heal = await misbehave(bad);
    const { refused, served, open, letThrough } = await askWhileBad(stage, ofBad, ofOthers, bad).finally(heal);
    const healedAt = performance.now();
    await until(responses, options);
    const behind = ((performance.now() - healedAt) / 1000).toFixed(1);
    const after = (await query(stage, ofBad)).response.data;
    const published = publishedChanges(stage, ofBad);
    return {
      observed:
        `50001 after ${slowest(refused)} at most, after ${slowest(open)} with the circuit breaker open; used again ${behind} s after its end; ` +
        `other carriers' parcels within ${slowest(served)}`,
      violations: [
        ...new Set([
          ...notRefused(refused, MAX_WAIT_MS),
          ...notRefused(open, MAX_WAIT_WHEN_OPEN_MS),
          ...notServed(served, MAX_WAIT_OF_OTHERS_MS),
        ]),
        ...(bad.mostSent > MAX_TAKEN_BYTES ? [`${bad.mostSent} bytes of a response were taken`] : []),
        // One may be the probe.
        ...(letThrough > 1 ? [`the circuit breaker let ${letThrough} of ${CALLS_BEHIND} calls through`] : []),
        ...(JSON.stringify(after) === JSON.stringify(before)
          ? []
          : [`the history went from ${JSON.stringify(before)} to ${JSON.stringify(after)}`]),
        ...(published === 1 ? [] : [`${published} changes were published instead of 1`]),
      ],
    };
  } finally {
    await Promise.all([bad.close(), good.close()]);
  }
}

/** The simulated carrier is out for one number. */
async function simulatedDown(stage: FaultStage): Promise<Findings> {
  const [down, up] = await Promise.all([dispatched(stage, 'simulated', 'SIMDOWN'), dispatched(stage, 'simulated')]);
  const refused: TimedResponse[] = [];
  const served: TimedResponse[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    refused.push(await query(stage, down));
    served.push(await query(stage, up));
  }
  return {
    observed: `50001 within ${slowest(refused)}, the other number within ${slowest(served)}`,
    violations: [...new Set([...notRefused(refused, MAX_WAIT_WHEN_OPEN_MS), ...notServed(served, MAX_WAIT_OF_OTHERS_MS)])],
  };
}

const MEGABYTE = Buffer.alloc(1024 * 1024, ' ');
const json = { 'content-type': 'application/json' };

/** 50 MB of JSON, as fast as they are taken. */
const endless: CarrierManner = async (_req, res) => {
  res.writeHead(200, json).write('{"nodes":[');
  for (let megabyte = 0; megabyte < 50 && !res.destroyed; megabyte += 1) {
    if (!res.write(MEGABYTE)) await new Promise<void>((resolve) => res.once('drain', resolve).once('close', resolve));
  }
  res.end(']}');
};

const manners: Readonly<Record<string, CarrierManner>> = {
  'is silent': () => undefined,
  'responds with HTML': (_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>Down for maintenance</html>'),
  'responds with truncated JSON': (_req, res) => res.writeHead(200, json).end('{"nodes":[{"status":"Deliv'),
  'responds with 50 MB': endless,
  'responds with a gzip bomb of 50 MB': (_req, res) =>
    res.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.concat(Array.from({ length: 50 }, () => MEGABYTE)))),
};

const shared = {
  group: 'Carriers',
  expected: '50001 within the deadline; the circuit breaker opens and probes; other carriers unaffected; nothing wrong stored or published',
  servers: 'single',
  env: { TRACKING_SOURCES, CARRIER_TIMEOUT_MS: String(CARRIER_TIMEOUT_MS) },
} as const;

/** What carriers do. */
export const carrierFaults: readonly Fault[] = [
  { ...shared, name: 'the simulated carrier is out for a number', expected: '50001; other numbers unaffected', strike: simulatedDown },
  {
    ...shared,
    name: 'a carrier is down',
    strike: (stage) =>
      misbehaving(stage, async (bad) => {
        await bad.close();
        return () => bad.open();
      }),
  },
  ...Object.entries(manners).map(
    ([name, manner]): Fault => ({
      ...shared,
      name: `a carrier ${name}`,
      strike: (stage) => misbehaving(stage, (bad) => bad.behave(manner)),
    }),
  ),
];
