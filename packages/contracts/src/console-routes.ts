import { ConsoleLink, ConsoleLinkCreation, ConsoleSession } from './console-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';

const route = routesWith({ method: 'POST', service: 'gateway', scopes: [], tag: 'Console' });

/** Routes by which people come into the console. */
export const consoleRoutes: readonly RouteDefinition[] = [
  route({
    id: 'createConsoleSession',
    path: '/open/v1/console/sessions',
    summary: 'Begin a session of the console',
    description:
      'The console sends the session token instead of the key, so that it does not store the key. The token has the scopes and allowed addresses of the key, and expires after 8 hours or with the key. Only the key itself can create, change or rotate keys, begin sessions and create links.',
    data: ConsoleSession,
    repeat: 'Begins another session.',
  }),
  route({
    id: 'createConsoleLink',
    path: '/open/v1/console/links',
    summary: 'Create a link to the console',
    description:
      'For a person who has no key: your own system creates the link and opens it for its user. It works for an hour at most, ends with the calling key, and never manages keys. Revoke the key to end it at once. A session creates no links.',
    body: ConsoleLinkCreation,
    bodyOptional: true,
    data: ConsoleLink,
    repeat: 'Creates another link.',
  }),
];
