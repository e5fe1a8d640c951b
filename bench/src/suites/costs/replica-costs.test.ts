import { expect, test } from '@jest/globals';
import type { FlowCosts } from './cost-table.ts';
import { replacementOf, replicaCostTable, replicaPartsTable } from './replica-costs.ts';

const costsOf = (microseconds: number): FlowCosts => ({
  submission: { forecast: microseconds, kafka: 500 },
  weighingInBatches: { forecast: 2 * microseconds },
  weighingOnKafka: { forecast: 1500, webhook: 1500 },
});

test('what several replicas cost is shown beside what one costs, over all processes', () => {
  expect(replicaCostTable(costsOf(1500), costsOf(1900)).lines).toEqual([
    ['Submission', 2, 2.4, 1.2],
    ['Weighing in batches to webhook', 3, 3.8, expect.closeTo(1.267, 3)],
    ['Weighing on Kafka to webhook', 3, 3, 1],
  ]);
});

test('what each process has of that is shown for each operation', () => {
  expect(replicaPartsTable(costsOf(1500), costsOf(1900)).lines).toEqual([
    ['forecast', 1.5, 1.9, 3, 3.8, 1.5, 1.5],
    ['kafka', 0.5, 0.5, 0, 0, 0, 0],
  ]);
});

test('a replica that was ended is replaced by one that was not there before', () => {
  expect(replacementOf(11, [11, 12, 13], [14, 12, 13])).toBe(14);
  expect(() => replacementOf(11, [11, 12, 13], [11, 12, 13])).toThrow('Process 11 has not ended');
  expect(() => replacementOf(11, [11, 12, 13], [12, 13])).toThrow('No process has come in the place of 11');
  expect(() => replacementOf(11, [11, 12, 13], [14, 15, 13])).toThrow('Beside 11 other processes have ended: 1');
});
