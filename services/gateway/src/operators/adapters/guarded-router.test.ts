import { expect, test } from '@jest/globals';
import type { RequestHandler } from 'express';
import { type AdminRoute, adminRoutes } from './admin-routes.ts';
import { createGuardedRouter } from './guarded-router.ts';

const respond = (): void => undefined;
const guarded = (routes: Readonly<Record<string, AdminRoute>>) => createGuardedRouter(routes, () => respond);

test('a route without a role keeps the gateway from starting', () => {
  const { router } = guarded({ 'GET /a': { role: 'read' } });
  expect(() => router.post('/a', respond)).toThrow("The route POST /a of the operator's API has no role");
  expect(() => router.get('/b', respond)).toThrow('The route GET /b');
});

test('a role without a route does, too', () => {
  const { router, assertComplete } = guarded({ 'GET /a': { role: 'read' }, 'GET /b': { role: 'read' } });
  router.get('/a', respond);
  expect(assertComplete).toThrow('admin-routes.ts names routes that do not exist: GET /b');
  router.get('/b', respond);
  expect(assertComplete).not.toThrow();
});

test('no route can be added past the roles', () => {
  for (const add of ['all', 'route', 'use'] as const) {
    const { router, assertComplete } = guarded({});
    (router[add] as (path: string, handler: RequestHandler) => unknown)('/a', respond);
    expect(assertComplete).toThrow('was added past its roles');
  }
});

test('a role that may change something is asked for by every route that does', () => {
  const changing = Object.entries<AdminRoute>(adminRoutes).filter(([route]) => !route.startsWith('GET '));
  expect(changing.filter(([, { role }]) => role === 'read')).toEqual([]);
  expect(changing.length).toBeGreaterThan(20);
});
