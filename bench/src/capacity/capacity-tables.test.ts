import { describe, expect, test } from '@jest/globals';
import { serviceProcesses } from '../distributed-stage.ts';
import type { CapacityCycle } from '../suites/capacity/cycle.ts';
import type { Demand } from '../suites/mongo-demand.ts';
import { capacityTables, diskFactor, sumOfDemands } from './capacity-tables.ts';
import { type LoadName, loadNames, type ReferenceLoad, referenceLoadNames } from './works.ts';

const demand: Demand = { mongoReads: 2, mongoWrites: 1, mongoCommands: 0, kafkaMessages: 1, documentBytes: 1024 };
const disk = { documentBytes: 1000, storageBytes: 600, indexBytes: 400 };

/** A cycle in which one piece of any load costs each service so many microseconds, and each reference 100. */
function cycleOf(cpuMicroseconds: number): CapacityCycle {
  const each = (value: number): Record<string, number> => Object.fromEntries(serviceProcesses.map((service) => [service, value]));
  const of = <K extends string, V>(names: Readonly<Record<K, string>>, value: V): Record<K, V> =>
    Object.fromEntries(Object.keys(names).map((name) => [name, value])) as Record<K, V>;
  return {
    idle: { cpu: each(0), demand },
    costs: of<LoadName, CapacityCycle['costs'][LoadName]>(loadNames, { cpu: each(cpuMicroseconds), demand }),
    references: of<ReferenceLoad, number>(referenceLoadNames, 100),
  };
}

const measured = { cycles: [cycleOf(700), cycleOf(500), cycleOf(900)], ceilings: new Map<string, number>(), disk };

describe('capacityTables', () => {
  const lineOf = (ceilings: ReadonlyMap<string, number>, service: string, work: string) =>
    capacityTables({ ...measured, ceilings })[0]?.lines.find((line) => line[0] === service && line[1] === work);

  test('gives the median of the cycles, its reference, and what one replica holds', () => {
    const line = lineOf(new Map(), 'forecast', 'weighing query');
    expect(line).toEqual(['forecast', 'weighing query', 700, 'node:http, constant response', 100, '7.00', null, 1000]);
  });

  test('shares what a call costs among its hundred events', () => {
    const line = lineOf(new Map(), 'warehouse-intake', 'weighing over HTTP, one of 100');
    expect(line?.slice(2, 3)).toEqual([7]);
    expect(line?.at(-1)).toBeCloseTo(100_000);
  });

  test('a ceiling that is lower is what a replica holds', () => {
    expect(lineOf(new Map([['forecast, weighings', 300]]), 'forecast', 'weighing applied')?.slice(-2)).toEqual([300, 300]);
    expect(lineOf(new Map([['forecast, weighings', 3000]]), 'forecast', 'weighing applied')?.slice(-2)).toEqual([3000, 1000]);
  });

  test('says what one of each load asks of the servers, and what a thousand leave on the disk', () => {
    const line = capacityTables(measured)[1]?.lines.find(([load]) => load === 'Submission of 1 item');
    expect(line).toEqual(['Submission of 1 item', '2.0', '1.0', '0.0', '1.0', '1,024', '0.98']);
  });

  test('sizes every service for the example', () => {
    expect(capacityTables(measured)[2]?.lines.map(([service]) => service)).toEqual([...serviceProcesses]);
  });
});

test('demands add up, each so many times', () => {
  expect(
    sumOfDemands([
      { demand, times: 1 },
      { demand, times: 3 },
    ]),
  ).toEqual({ mongoReads: 8, mongoWrites: 4, mongoCommands: 0, kafkaMessages: 4, documentBytes: 4096 });
});

test('the disk holds compressed documents and indexes', () => {
  expect(diskFactor({ documentBytes: 1000, storageBytes: 400, indexBytes: 300 })).toBe(0.7);
  expect(() => diskFactor({ documentBytes: 0, storageBytes: 400, indexBytes: 300 })).toThrow(RangeError);
});
