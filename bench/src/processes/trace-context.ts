import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * What it costs to carry a `traceparent` by AsyncLocalStorage instead of passing it by hand, and prints JSON: microseconds of CPU of one request, by way
 * of passing, medians of several rounds that alternate. `calls`: ten async functions that call each other, with 16 requests side by side as one group
 * commit has them. `http`: the same behind a server of Node, over kept connections; client and server share the process. Decision 21 gives the figures.
 */

const ROUNDS = 9;
const DEPTH = 10;
const CONCURRENCY = 16;
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

type Way = 'by hand' | 'enabled, by hand' | 'AsyncLocalStorage';
type Handle = () => Promise<string | undefined>;

const storage = new AsyncLocalStorage<string>();

async function byHand(depth: number, traceparent: string): Promise<string | undefined> {
  if (depth > 0) return await byHand(depth - 1, traceparent);
  await new Promise((resolve) => setImmediate(resolve));
  return traceparent;
}

async function byStorage(depth: number): Promise<string | undefined> {
  if (depth > 0) return await byStorage(depth - 1);
  await new Promise((resolve) => setImmediate(resolve));
  return storage.getStore();
}

const handlers: Readonly<Record<Way, Handle>> = {
  'by hand': () => byHand(DEPTH, TRACEPARENT),
  // What those pay who run beside a storage that somebody else uses, such as an agent of a vendor.
  'enabled, by hand': () => storage.run(TRACEPARENT, () => byHand(DEPTH, TRACEPARENT)),
  AsyncLocalStorage: () => storage.run(TRACEPARENT, () => byStorage(DEPTH)),
};

async function inParallel(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** CPU of one call, in microseconds. */
async function cpuOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await inParallel(count, work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** A server whose handler can be changed, and a call of it. */
async function startServer() {
  const state = { handle: handlers['by hand'] };
  const server = createServer((_req, res) => void state.handle().then((traceparent) => res.end(traceparent)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const { port } = server.address() as AddressInfo;
  const call = () =>
    new Promise<void>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, agent }, (response) => void response.resume().once('end', resolve));
      asked.once('error', reject).end();
    });
  const close = (): void => {
    agent.destroy();
    server.close();
  };
  return { state, call, close };
}

/** Medians of rounds, in which the ways take turns. A storage once used stays enabled, so the way without it comes in a process of its own. */
async function measure(ways: readonly Way[]): Promise<Record<string, Record<string, number>>> {
  const server = await startServer();
  const figures = ways.map((way) => ({ way, calls: [] as number[], http: [] as number[] }));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { way, calls, http } of figures) {
      const call = await cpuOf(40_000, handlers[way]);
      server.state.handle = handlers[way];
      const overHttp = await cpuOf(4000, server.call);
      // The first round warms up.
      if (round > 0) {
        calls.push(call);
        http.push(overHttp);
      }
    }
  }
  server.close();
  return Object.fromEntries(figures.map(({ way, calls, http }) => [way, { calls: median(calls), http: median(http) }]));
}

const [argument = 'by hand'] = process.argv.slice(2);
const ways: readonly Way[] = argument === 'storage' ? ['enabled, by hand', 'AsyncLocalStorage'] : ['by hand'];
process.stdout.write(`${JSON.stringify({ node: process.version, ...(await measure(ways)) })}\n`);
