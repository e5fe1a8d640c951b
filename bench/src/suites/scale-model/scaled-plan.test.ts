import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { assumptions } from './assumptions.ts';
import { measuredIn, sizesIn } from './input-tables.ts';
import { scaleModel } from './model.ts';
import { planFor } from './scaled-plan.ts';
import { modelTables } from './tables.ts';

describe('planFor', () => {
  test('is the plan of the page unless another load is asked for', () => {
    expect(planFor({})).toBe(assumptions);
    expect(planFor({ SCALE_PARCELS: '' })).toBe(assumptions);
    expect(planFor({ SCALE_PARCELS: '2000000' })).toEqual(assumptions);
  });

  test('divides every rate, and leaves habits and machines as they are', () => {
    expect(planFor({ SCALE_PARCELS: '200000' })).toEqual({
      ...assumptions,
      parcelsADay: 200_000,
      submissions: 14,
      warehouseEvents: 70,
      pushes: 110,
      webhooks: 125,
      polls: 62.5,
    });
  });

  test.each(['many', '0', '-5', '1e6', '999', '20000001', '200000.5'])('refuses %p', (given) => {
    expect(() => planFor({ SCALE_PARCELS: given })).toThrow('SCALE_PARCELS must be a whole number of parcels a day');
  });

  test.each(['1000', '200000', '20000000'])('has a model for %s parcels a day', (given) => {
    const page = readFileSync(new URL('../../../../docs/scale.md', import.meta.url), 'utf8');
    const inputs = { ...measuredIn(page), ...sizesIn(page) };
    const plan = planFor({ SCALE_PARCELS: given });
    expect(modelTables(inputs, plan)[0]?.lines).toContainEqual([Number(given).toLocaleString('en-US'), 'parcels a day']);
    const { services, streams } = scaleModel(inputs, plan);
    expect(streams.find(({ name }) => name === 'submission')?.perDay).toBe(Number(given));
    for (const { replicas } of services) expect(replicas).toBeGreaterThanOrEqual(2);
  });
});
