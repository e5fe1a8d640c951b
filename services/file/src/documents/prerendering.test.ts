import { expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { Documents } from './documents.ts';
import { Prerendering } from './prerendering.ts';

/** Renders versions of forecasts that each fail as their number says, then work. */
function open(failures: Readonly<Record<string, AppError[]>>, held?: Promise<void>) {
  const opened: string[] = [];
  const logged: unknown[] = [];
  const documents: Pick<Documents, 'open'> = {
    async open({ forecastNo }) {
      opened.push(forecastNo);
      await held;
      const failure = failures[forecastNo]?.shift();
      if (failure !== undefined) throw failure;
      return {} as Awaited<ReturnType<Documents['open']>>;
    },
  };
  const prerendering = new Prerendering(documents, { ...silentLogger, warn: (fields: object) => void logged.push(fields) }, 1);
  const add = (forecastNo: string): void => prerendering.add({ tenantId: 'tnt_1', forecastNo, version: 1 });
  return { prerendering, opened, logged, add };
}

test('renders one version after the other; what is out is tried again, what cannot be is passed over', async () => {
  const { opened, add } = open({ A: [AppError.unavailable('busy'), AppError.unavailable('busy')], B: [new AppError('50000')] });
  for (const forecastNo of ['A', 'B', 'C']) add(forecastNo);
  await until(() => opened.includes('C'));
  expect(opened).toEqual(['A', 'A', 'A', 'B', 'C']);
  add('D');
  await until(() => opened.at(-1) === 'D');
});

test('logs what cannot be rendered, but not what was corrected or deleted meanwhile, and stops retrying what stays out', async () => {
  const [defect, gone] = [new AppError('50000'), new AppError('40403')];
  const { opened, logged, add } = open({ A: [defect], B: [gone], C: Array.from({ length: 1000 }, () => AppError.unavailable('out')) });
  for (const forecastNo of ['A', 'B', 'C', 'D']) add(forecastNo);
  await until(() => opened.includes('D'));
  expect(logged).toEqual([{ err: defect, tenant_id: 'tnt_1', forecast_no: 'A' }]);
  expect(opened.filter((forecastNo) => forecastNo === 'C')).toHaveLength(30);
});

test('takes ten thousand versions besides the one that is rendered, and no more', async () => {
  let release = (): void => undefined;
  const { opened, add } = open({}, new Promise<void>((resolve) => (release = resolve)));
  for (let no = 0; no <= 10_001; no += 1) add(`F${no}`);
  release();
  await until(() => opened.length > 10_000);
  add('last');
  await until(() => opened.includes('last'));
  expect([opened.length, opened.at(-2)]).toEqual([10_002, 'F10000']);
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
