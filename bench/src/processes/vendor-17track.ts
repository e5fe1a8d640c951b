import { start17TrackServer } from '@parcelway/harness/sources/17track-server';
import { request } from 'undici';
import { announceReady } from '../child-server.ts';
import { trackingNumberOf } from '../tracking/numbers.ts';
import { rowsAt } from '../tracking/vendor-rows.ts';

/*
 * A server that speaks the API of 17TRACK without a limit of calls, where the numbers of tracking/numbers.ts are registered. Arguments: how many numbers;
 * how many rows each has.
 */

const [count = '0', rows = '3'] = process.argv.slice(2);
/** Numbers that a call takes. */
const PER_CALL = 40;

const server = await start17TrackServer();
server.setLimits({ requestsPerSecond: null });
const numbers = Array.from({ length: Number(count) }, (_, index) => trackingNumberOf(index + 1));
const all = rowsAt(Date.now(), Number(rows));
for (const number of numbers) server.addRows(number, ...all);
const { key = '' } = server.credentials;
for (let from = 0; from < numbers.length; from += PER_CALL) {
  const items = numbers.slice(from, from + PER_CALL).map((number) => ({ number }));
  const response = await request(`${server.baseUrl}/register`, {
    method: 'POST',
    headers: { '17token': key },
    body: JSON.stringify(items),
  });
  await response.body.dump();
}
// Calls before this do not count.
server.setLimits({ requestsPerSecond: null });
announceReady({ baseUrl: server.baseUrl, key });
