import { expect, test } from '@jest/globals';
import { routes } from '@parcelway/contracts/routes';
import { sentEventTypes } from '@parcelway/contracts/webhook-event-types';
import { sdkResources } from './sdk-resources.ts';
import { sdkRoutes } from './sdk-routes.ts';
import { sdkTypes } from './sdk-types.ts';

test('every route and every event that is sent has its types, and none is left open', () => {
  const types = sdkTypes();
  const table = sdkRoutes();
  for (const { id, method, path, idempotencyKey } of routes) {
    expect(table).toContain(`  ${id}: { method: '${method}', path: '${path}', takesKey: ${idempotencyKey === true}, `);
    expect(table).toContain(`  readonly ${id}: {\n`);
  }
  for (const type of sentEventTypes) expect(types).toContain(`  readonly type: '${type}';\n`);
  expect(/^export type WebhookEvent = (.*);$/m.exec(types)?.[1]?.split(' | ')).toHaveLength(sentEventTypes.length);
  expect(`${types}${table}`.replace(/\/\*\*.*\*\//g, '')).not.toMatch(/\b(any|undefined\[\]|\[object)\b/);
});

test('every route has a method', () => {
  const called = new Set(sdkResources.flatMap(({ methods }) => methods.flatMap((method) => method.routes)));
  expect([...called].sort()).toEqual(routes.map(({ id }) => id).sort());
});
