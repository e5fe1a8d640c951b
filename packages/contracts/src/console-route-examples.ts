import type { ConsoleLink, ConsoleLinkCreation, ConsoleSession } from './console-api.ts';
import { EXAMPLE_BASE_URL } from './example-parcel.ts';
import type { RouteExample } from './route-example.ts';

const token = 'pfs_s1.0wZf2kQx.q3Yc1vN0sT8hL4mRdCfGjPzA1eU5uNiXo7bKwQ2tVyHn6MpSgJlEaDr';
const session: ConsoleSession = { token, key_id: 'key_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d', expires_at: '2025-11-24T16:03:00.000+00:00' };
const reader: ConsoleLinkCreation = {};
const operations: ConsoleLinkCreation = {
  scopes: ['forecasts:write', 'files:write', 'weighing:read', 'tracking:read'],
  expires_in_seconds: 900,
};
const link: ConsoleLink = {
  url: `${EXAMPLE_BASE_URL}/console#link=${token}`,
  key_id: 'key_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
  scopes: ['weighing:read', 'tracking:read'],
  expires_at: '2025-11-24T09:03:00.000+00:00',
  warnings: [],
};

/** Route id → example, of the routes of the console. */
export const consoleRouteExamples: Readonly<Record<string, RouteExample>> = {
  createConsoleSession: { requests: {}, data: session },
  createConsoleLink: { requests: { reader, operations }, data: link },
};
