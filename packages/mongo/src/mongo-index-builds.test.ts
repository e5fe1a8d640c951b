import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { whileBuilding } from './mongo-index-builds.ts';

describe('the build of indexes', () => {
  /** What the server says of its operations. */
  let builds: () => Promise<readonly object[]>;
  let asked: object[];
  let said: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    builds = async () => [];
    asked = [];
    said = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const connection = {
    name: 'prod-forecast',
    getClient: () => ({
      db: () => ({
        aggregate: (pipeline: object[]) => {
          asked = pipeline;
          return { toArray: () => builds() };
        },
      }),
    }),
  } as unknown as Connection;

  /** @param seconds that the build takes */
  async function building(seconds: number, outcome: 'built' | 'refused' = 'built'): Promise<void> {
    const command = new Promise<void>((resolve, reject) => {
      setTimeout(() => (outcome === 'built' ? resolve() : reject(new Error('E11000'))), seconds * 1000);
    });
    const done = whileBuilding(connection, 'forecasts', command, (line) => void said.push(line));
    done.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(seconds * 1000);
    await done;
  }

  test('says every ten seconds how far it is, by the slowest of several shards', async () => {
    builds = async () => [
      { progress: { done: 10, total: 40 } },
      { progress: { done: 30, total: 40 } },
      {},
      { progress: { done: 0, total: 0 } },
    ];
    await building(25);
    expect(said).toEqual([
      'forecasts: indexes have been under construction for 10 s, 25 % of this phase is done',
      'forecasts: indexes have been under construction for 20 s, 25 % of this phase is done',
    ]);
    expect(asked).toContainEqual({ $match: { ns: 'prod-forecast.forecasts', msg: /^Index Build/ } });
  });

  test('says at least how long it takes when the user may not see operations', async () => {
    builds = async () => {
      throw new Error('not authorized on admin');
    };
    await building(11);
    expect(said).toEqual(['forecasts: indexes have been under construction for 10 s']);
  });
});
