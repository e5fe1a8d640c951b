import { afterEach, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { trackingSources } from '../../sources/source-list.ts';
import { numberOf, rowAgo, type SourceDriver, startSource } from '../../testing/source-driver.ts';

let driver: SourceDriver;
afterEach(() => driver.close());

test('a call that waits for its turn is not made when another one is refused meanwhile', async () => {
  const name = '17track';
  const { limits } = trackingSources.get(name) ?? {};
  // Each call is of one parcel, so that several wait.
  driver = await startSource(name, { limits: { ...limits, numbersPerRegistration: 1 }, isReal: true });
  const { server } = driver;
  const numbers = Array.from({ length: 4 }, (_, index) => numberOf(name, index));
  for (const number of numbers) server.addRows(number, rowAgo('in transit', 1));
  server.setMood({ kind: 'status', status: 429, retryAfter: 2 });
  const outcomes = Promise.all(numbers.map((number, index) => driver.outcomeOf(number, { process: index % 2 })));
  const { at } = await until(() => server.calls[0], { what: 'the first call' });
  server.setMood({ kind: 'well' });
  expect(await outcomes).toEqual(['NotNow', 'NotNow', 'NotNow', 'NotNow']);
  expect(server.calls).toHaveLength(1);
  await until(() => Date.now() > at + 2100, { what: 'the end of the refusal' });
  expect(await driver.outcomeOf(numbers[0] as string)).toEqual(['In Transit']);
});
