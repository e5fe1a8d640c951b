import { Agent, request } from 'undici';
import { closedLoopOf } from '../closed-loop.ts';
import { trackingNumberOf } from '../tracking/numbers.ts';

/*
 * The least that it takes to poll a vendor: a loop that makes the calls and parses the responses. Nothing is selected, translated, compared or stored.
 * Arguments: address and key of the vendor; how many numbers. Prints { perSecond, perCpuSecond }, in numbers.
 */

const [baseUrl = '', key = '', count = '0'] = process.argv.slice(2);
/** Numbers of a call, and calls at the same time, as in the service. */
const PER_CALL = 40;
const CALLS = 8;

const numbers = Array.from({ length: Number(count) }, (_, index) => trackingNumberOf(index + 1));
const dispatcher = new Agent({ connections: CALLS });
let next = 0;
const before = process.cpuUsage();
const begun = performance.now();
await closedLoopOf(CALLS, Math.ceil(numbers.length / PER_CALL), async () => {
  const items = numbers.slice(next, next + PER_CALL).map((number) => ({ number }));
  next += PER_CALL;
  const headers = { '17token': key, 'content-type': 'application/json' };
  const { body } = await request(`${baseUrl}/gettrackinfo`, { method: 'POST', headers, body: JSON.stringify(items), dispatcher });
  const { data } = (await body.json()) as { data: { accepted: readonly unknown[] } };
  if (data.accepted.length !== items.length) throw new Error(`The vendor reported ${data.accepted.length} of ${items.length} numbers`);
});
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(before);
await dispatcher.close();
process.stdout.write(JSON.stringify({ perSecond: numbers.length / seconds, perCpuSecond: (numbers.length * 1e6) / (user + system) }));
