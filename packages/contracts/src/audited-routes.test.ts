import { describe, expect, test } from '@jest/globals';
import { auditedRoutes, unauditedRoutes } from './audited-routes.ts';
import { pathParameters } from './route.ts';
import { routes } from './routes.ts';

describe('what the audit log knows', () => {
  test('every route by which a tenant changes something is audited, or it is said that it is not', () => {
    const changing = routes.filter(({ access, method }) => access === 'tenant' && method !== 'GET').map(({ id }) => id);
    expect([...Object.keys(auditedRoutes), ...unauditedRoutes].sort()).toEqual(changing.sort());
  });

  test.each(Object.entries(auditedRoutes))('%s names its resource by what the route has', (id, { id: named }) => {
    const [route] = routes.filter((one) => one.id === id);
    const { properties = {} } = (route?.data ?? {}) as { properties?: object };
    if ('parameter' in named) expect(pathParameters(route?.path ?? '')).toContain(named.parameter);
    else expect(Object.keys(properties)).toContain(named.created);
  });
});
