import { describe, expect, test } from '@jest/globals';
import { boundsOf, withinBounds } from '@parcelway/contracts/bounds';
import { routes } from '@parcelway/contracts/routes';
import { compileValidator } from '@parcelway/contracts/validator';
import { warehouseEventSchemas } from '@parcelway/contracts/warehouse-api';
import { type AnySchema, hostileBodies } from './hostile-bodies.ts';

/* Bodies with as many values as fit in their bytes, aimed at every place of every body. */

/** Enough for more values than {@link MOST_LOOKED_AT} and for more errors than are listed. */
const BYTES = 100_000;
/** Most values and characters that the errors of a body are collected from: 2001 items with all their fields is the widest of all. */
const MOST_LOOKED_AT = 25_000;

const bodies: ReadonlyArray<readonly [string, AnySchema]> = [
  ...routes.flatMap(({ id, body }) => (body === undefined || body === 'multipart' ? [] : [[id, body] as const])),
  ...Object.entries(warehouseEventSchemas).map(([type, schema]) => [`event ${type}`, schema] as const),
];

/** How many values and characters there are to look at. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length;
  if (value === null || typeof value !== 'object') return 1;
  return Object.entries(value).reduce((sum, [name, each]) => sum + Math.min(name.length, 100) + sizeOf(each), 1);
}

describe.each(bodies)('%s', (_id, schema) => {
  const validator = compileValidator(schema);
  const bounds = boundsOf(schema);

  test('is judged within its bounds, whatever the flood', () => {
    let count = 0;
    for (const { name, text } of hostileBodies(schema, BYTES)) {
      expect([name, text().length <= BYTES]).toEqual([name, true]);
      const value: unknown = JSON.parse(text());
      const cut = withinBounds(value, bounds);
      const errors = validator.errors(value);
      // Names at the root, which is open, are unknown fields and no error; required ones are missing all the same.
      expect([name, errors.length <= 1000, sizeOf(cut) < MOST_LOOKED_AT || cut === value]).toEqual([name, true, true]);
      expect([name, JSON.stringify(errors).length < MOST_LOOKED_AT * 10]).toEqual([name, true]);
      count += 1;
    }
    expect(count).toBeGreaterThan(0);
  });
});
