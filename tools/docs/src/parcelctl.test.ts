import { expect, test } from '@jest/globals';
import type { ApiCommand } from '@parcelway/cli/api-command';
import { apiCommands } from '@parcelway/cli/run-parcelctl';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { EndpointChange, EndpointCreation } from '@parcelway/contracts/webhook-endpoint-api';
import { adminRoutes } from '@parcelway/service-gateway/admin-routes';
import { adminSchemas } from './admin-routes.ts';

/* The commands of parcelctl, held against the routes and fields of the admin API. */

const ENDPOINTS = '/admin/v1/tenants/:/webhook-endpoints';
const anonymous = (route: string): string => route.replace(/:\w+|\{\w+\}/g, ':');
const schemas = new Map<string, object>([
  ...Object.entries(adminSchemas).map(([route, schema]) => [anonymous(route), schema] as const),
  [`POST ${ENDPOINTS}`, EndpointCreation],
  [`PATCH ${ENDPOINTS}/:`, EndpointChange],
]);
const known = Object.keys(adminRoutes).map(anonymous);

const commands = apiCommands.flatMap((entry) =>
  'commands' in entry ? entry.commands.map((one) => [`${entry.name} ${one.name}`, one] as const) : [[entry.name, entry] as const],
);

/** The routes of a command: without options, and with all of them. */
function routesOf({ route, parameters = [] }: ApiCommand): string[] {
  if (typeof route === 'string') return [route];
  const names = parameters.map(({ flags }) =>
    (/^--([a-z-]+)/.exec(flags)?.[1] ?? '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  return [route({}), route(Object.fromEntries(names.map((name) => [name, 'x'])))];
}

test.each(commands)('%s calls a route that there is, with fields that it has', (_name, command) => {
  for (const route of routesOf(command).map(anonymous)) {
    // An export has a route for each service and kind.
    expect([...known, 'GET /admin/v1/tenants/:/export']).toContain(route);
    const { properties } = (schemas.get(route) ?? {}) as JsonSchema;
    const fields = (command.parameters ?? []).flatMap(({ as }) => as ?? []);
    if (properties !== undefined && command.send === undefined) expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields));
  }
});
