import { expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { Documents } from './documents.ts';
import { Prerendering } from './prerendering.ts';

/** Renders versions of forecasts that each fail as their number says, then work. */
function open(failures: Readonly<Record<string, AppError[]>>) {
  const opened: string[] = [];
  const documents: Pick<Documents, 'open'> = {
    async open({ forecastNo }) {
      opened.push(forecastNo);
      const failure = failures[forecastNo]?.shift();
      if (failure !== undefined) throw failure;
      return {} as Awaited<ReturnType<Documents['open']>>;
    },
  };
  const prerendering = new Prerendering(documents, silentLogger, 1);
  const add = (forecastNo: string): void => prerendering.add({ tenantId: 'tnt_1', forecastNo, version: 1 });
  return { prerendering, opened, add };
}

test('renders one version after the other; what is out is tried again, what cannot be is passed over', async () => {
  const { opened, add } = open({ A: [AppError.unavailable('busy'), AppError.unavailable('busy')], B: [new AppError('50000')] });
  for (const forecastNo of ['A', 'B', 'C']) add(forecastNo);
  await until(() => opened.includes('C'));
  expect(opened).toEqual(['A', 'A', 'A', 'B', 'C']);
  add('D');
  await until(() => opened.at(-1) === 'D');
});

test('ends with the service, whatever waits', async () => {
  const out = Array.from({ length: 1000 }, () => AppError.unavailable('out'));
  const { prerendering, opened, add } = open({ A: out });
  for (const forecastNo of ['A', 'B']) add(forecastNo);
  await until(() => opened.length > 1);
  await prerendering.stop();
  const count = opened.length;
  add('C');
  await prerendering.stop();
  expect([opened.length, opened.includes('B')]).toEqual([count, false]);
});
