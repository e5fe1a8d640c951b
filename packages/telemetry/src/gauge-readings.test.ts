import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { GaugeReadings } from './gauge-readings.ts';
import { createMetrics, type ProcessMetrics } from './metrics.ts';

let lines: string[];
let metrics: ProcessMetrics;
beforeEach(() => {
  jest.useFakeTimers();
  lines = [];
  metrics = createMetrics('1');
});

afterEach(() => {
  jest.useRealTimers();
});

const open = (freshMs: number): GaugeReadings => {
  const note = (_fields: object, message: string) => void lines.push(message);
  return new GaugeReadings({ metrics, logger: { ...silentLogger, warn: note, info: note }, freshMs });
};

/** A reading that counts how often it is taken, and fails so often first. */
function countedReading(failures = 0) {
  const counted = { reads: 0 };
  const read = async (): Promise<void> => {
    counted.reads += 1;
    if (counted.reads <= failures) throw new Error('not now');
  };
  return { counted, read };
}

describe('a reading', () => {
  test('is taken when it is asked for and not by itself, and not again while it is fresh', async () => {
    const readings = open(5000);
    const { counted, read } = countedReading();
    readings.add('file', 'something', read);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(counted.reads).toBe(0);
    await Promise.all([readings.refresh(), readings.refresh()]);
    await jest.advanceTimersByTimeAsync(4999);
    await readings.refresh();
    expect(counted.reads).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    await readings.refresh();
    expect(counted.reads).toBe(2);
  });

  test('that fails is logged when the failures begin and end, counted each time, and repeated', async () => {
    const readings = open(0);
    const { counted, read } = countedReading(2);
    readings.add('file', 'something', read);
    for (let times = 0; times < 4; times += 1) await readings.refresh();
    expect(counted.reads).toBe(4);
    expect(readings.overdueOf('file')).toEqual([]);
    expect(lines).toEqual(['Gauges cannot be read; they keep their last values', 'Gauges can be read again']);
    expect((await metrics.expose()).text).toContain('parcelway_gauge_read_failures_total{service_name="file"} 2');
  });

  test('that fails, or was never taken, is overdue, for its own service', async () => {
    const readings = open(0);
    readings.add('file', 'something', countedReading(1).read);
    readings.add('file', 'another', countedReading().read);
    expect(readings.overdueOf('file')).toEqual(['something', 'another']);
    await readings.refresh();
    expect([readings.overdueOf('file'), readings.overdueOf('webhook')]).toEqual([['something'], []]);
    await readings.refresh();
    expect(readings.overdueOf('file')).toEqual([]);
  });

  test('that throws before it waits is taken again as well', async () => {
    const readings = open(0);
    let reads = 0;
    readings.add('file', 'something', () => {
      reads += 1;
      throw new Error('at once');
    });
    await readings.refresh();
    await readings.refresh();
    expect(reads).toBe(2);
  });

  test('that is ended is not taken any more', async () => {
    const readings = open(0);
    const [one, two] = [countedReading(), countedReading()];
    const end = readings.add('file', 'one', one.read);
    readings.add('file', 'two', two.read);
    await readings.refresh();
    end();
    await readings.refresh();
    expect([one.counted.reads, two.counted.reads]).toEqual([1, 2]);
    readings.clear();
    await readings.refresh();
    expect(two.counted.reads).toBe(2);
  });

  test('that hangs holds up the others for two seconds, and is not begun again beside itself', async () => {
    const readings = open(0);
    let finish = (): void => undefined;
    let reads = 0;
    readings.add('file', 'something', () => {
      reads += 1;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    const { counted, read } = countedReading();
    readings.add('file', 'another', read);
    let isDone = false;
    const first = readings.refresh().then(() => {
      isDone = true;
    });
    await jest.advanceTimersByTimeAsync(1999);
    expect(isDone).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isDone).toBe(true);
    expect(readings.overdueOf('file')).toEqual(['something']);
    await first;
    const second = readings.refresh();
    expect([reads, counted.reads]).toEqual([1, 2]);
    finish();
    await second;
    const third = readings.refresh();
    expect(reads).toBe(2);
    finish();
    await third;
  });
});
