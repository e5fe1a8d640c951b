import { describe, expect, test } from '@jest/globals';
import { serviceProcesses } from '../distributed-stage.ts';
import { exampleLife, rateOf, replicasFor } from './sizing.ts';
import { type WorkKey, works } from './works.ts';

describe('rateOf', () => {
  test('is that of the busiest hour, or spread over the day', () => {
    expect(rateOf({ timesAParcel: 2, when: 'peak' }, 24_000)).toBe(2);
    expect(rateOf({ timesAParcel: 200, when: 'all day' }, 86_400)).toBe(200);
  });
});

describe('replicasFor', () => {
  const life = [
    { work: 'query', timesAParcel: 2, when: 'peak' },
    { work: 'submit1', timesAParcel: 1, when: 'peak' },
    { work: 'poll', timesAParcel: 100, when: 'all day' },
  ] as const;
  const holding = new Map<WorkKey, number>([
    ['query', 4],
    ['submit1', 0.5],
  ]);

  test('adds up what the works of a service take of a replica', () => {
    // 24,000 a day are one a second in the busiest hour: half a replica of queries and two of submissions.
    expect(replicasFor('forecast', 24_000, holding, life)).toEqual({ load: 2.5, replicas: 3 });
  });

  test('runs two at the least', () => {
    expect(replicasFor('forecast', 2400, holding, life).replicas).toBe(2);
    expect(replicasFor('file', 24_000, holding, life)).toEqual({ load: 0, replicas: 2 });
  });

  test('refuses to size what was not measured', () => {
    expect(() => replicasFor('tracking', 24_000, holding, life)).toThrow('poll, simulated carrier was not measured');
  });

  test('the example asks something of every service', () => {
    expect(new Set(exampleLife.map(({ work }) => works[work].service))).toEqual(new Set(serviceProcesses));
  });
});
