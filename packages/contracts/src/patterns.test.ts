import { describe, expect, test } from '@jest/globals';
import * as adminApi from './admin-api.ts';
import { domainEventSchemas } from './domain-events.ts';
import { ForecastListQuery } from './forecast-api.ts';
import { routes } from './routes.ts';
import { integerPatternMaximum, patternMessages } from './text.ts';
import { compileValidator } from './validator.ts';
import * as warehouseApi from './warehouse-api.ts';
import { DeliveryListQuery } from './webhook-delivery-api.ts';

/** Every pattern below a value, whatever it is. */
function patternsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const { pattern } = value as { readonly pattern?: unknown };
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(value).flatMap(patternsIn)];
}

const sources: Readonly<Record<string, unknown>> = {
  routes: routes.map(({ body, query, data }) => ({ body, query, data })),
  'admin-api': { ...adminApi },
  'domain-events': domainEventSchemas,
  'warehouse-api': { ...warehouseApi },
};

describe('patterns', () => {
  test('are found where there are some', () => {
    for (const name of ['routes', 'admin-api', 'warehouse-api']) expect([name, patternsIn(sources[name]).length > 0]).toEqual([name, true]);
  });

  test.each(Object.keys(sources))('of %s have a sentence each', (name) => {
    const speechless = [...new Set(patternsIn(sources[name]))].filter((pattern) => patternMessages[pattern] === undefined);
    expect(speechless).toEqual([]);
  });

  test.each(Object.entries(integerPatternMaximum))('%s allows the integers from 1 to %i, and no others', (pattern, most) => {
    const matches = (value: unknown): boolean => new RegExp(pattern, 'u').test(String(value));
    const allowed = Array.from({ length: most + 10 }, (_, value) => value).filter(matches);
    expect([allowed.length, allowed[0], allowed.at(-1)]).toEqual([most, 1, most]);
    for (const value of ['', '-1', '01', '1.0', '1e2', ' 1', '1\n']) expect([value, matches(value)]).toEqual([value, false]);
  });

  test('are not shown in messages', () => {
    const list = compileValidator(ForecastListQuery).errors({ limit: '101', status: '8' });
    expect(Object.fromEntries(list.map(({ field, message }) => [field, message]))).toEqual({
      limit: 'limit must be an integer from 1 to 100',
      status: 'status must be an integer from 1 to 7 or one of ACCEPTED, ARRIVED, WEIGHED, PROCESSING, SHIPPED, COMPLETED, CANCELLED',
    });
    expect(compileValidator(DeliveryListQuery).errors({ limit: '0' })).toMatchObject([
      { message: 'limit must be an integer from 1 to 100' },
    ]);
    const problems = compileValidator(adminApi.DeadLetterQuery).errors({ topic: 't', limit: '10000' });
    expect(problems).toMatchObject([{ message: 'limit must be an integer from 1 to 9999' }]);
    const unclaimed = compileValidator(warehouseApi.UnclaimedQuery).errors({ limit: '1001' });
    expect(unclaimed).toMatchObject([{ message: 'limit must be an integer from 1 to 1000' }]);
  });
});

test('a new warehouse needs a code that fits into a URL and a file name', () => {
  const validator = compileValidator(adminApi.WarehouseCreation);
  expect(validator.is({ code: 'SZ01', name: 'Shenzhen' })).toBe(true);
  for (const code of ['bad code!', '-1', 'x'.repeat(33)]) expect(validator.errors({ code, name: 'n' })).toMatchObject([{ field: 'code' }]);
});
