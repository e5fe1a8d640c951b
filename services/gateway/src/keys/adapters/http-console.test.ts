import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ConsoleLink, ConsoleSession } from '@parcelway/contracts/console-api';
import { ManualClock } from '@parcelway/kernel/clock';
import { SessionTokens } from '../../proxy/domain/session.ts';
import { startGateway, type TestGateway } from '../../testing/harness.ts';
import { addConsoleRoutes } from './http-console.ts';

const SECRET = 'a-secret-for-tests-of-at-least-32-characters';
const BASE = 'https://api.example.test';

describe('sessions of and links to the console', () => {
  let clock: ManualClock;
  let gateway: TestGateway;
  let seen: string[];
  beforeEach(async () => {
    seen = [];
    clock = new ManualClock(Date.now());
    const sessions = new SessionTokens([SECRET]);
    gateway = await startGateway(
      (req, res) => {
        seen.push(String(req.headers['x-api-key'] ?? req.url));
        res.writeHead(200, { 'content-type': 'application/json' }).end('{"code":"0","message":"success","data":{}}');
      },
      { clock, sessions, respondHere: (router) => addConsoleRoutes(router, { sessions, clock, publicBaseUrl: BASE }) },
    );
  });

  const issue = (over = {}) => gateway.issue({ scopes: ['forecasts:write', 'weighing:read', 'keys:manage'], ...over });
  const codeOf = async (path: string, key: string) => (await gateway.call(path, { key })).json.code;
  const post = (path: string, key: string, body?: object) =>
    gateway.call(path, {
      method: 'POST',
      key,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  const begin = async (key: string) => (await post('/open/v1/console/sessions', key)).json.data as unknown as ConsoleSession;
  const linked = async (key: string, body?: object) =>
    (await post('/open/v1/console/links', key, body)).json.data as unknown as ConsoleLink;
  const tokenOf = ({ url }: ConsoleLink): string => url.slice(`${BASE}/console#link=`.length);

  test('a session opens what its key opens, and ends after eight hours', async () => {
    const { key } = await issue();
    const { token, expires_at } = await begin(key);
    expect(Date.parse(expires_at)).toBe(clock.now() + 8 * 3_600_000);
    expect(await codeOf('/open/v1/forecasts', token)).toBe('0');
    expect(await codeOf('/open/v1/webhook-endpoints', token)).toBe('40301');
    clock.advance(8 * 3_600_000);
    expect(await codeOf('/open/v1/forecasts', token)).toBe('40003');
    expect(await codeOf('/open/v1/forecasts', key)).toBe('0');
  });

  test('a link gives no more than it says, for an hour at most, and never manages keys', async () => {
    const { key, record } = await issue();
    const link = await linked(key, { scopes: ['weighing:read'], expires_in_seconds: 900 });
    expect(link).toMatchObject({ key_id: record.keyId, scopes: ['weighing:read'], warnings: [] });
    expect(Date.parse(link.expires_at)).toBe(clock.now() + 900_000);
    const token = tokenOf(link);
    expect(await codeOf('/open/v1/forecasts/weighing?po_number=1', token)).toBe('0');
    expect((await post('/open/v1/forecasts', token, {})).json.code).toBe('40301');
    expect((await linked(key)).scopes).toEqual(['weighing:read']);
    clock.advance(900_000);
    expect(await codeOf('/open/v1/forecasts/weighing?po_number=1', token)).toBe('40003');
  });

  test('a key that reads nothing must say what a link may do', async () => {
    const { key } = await issue({ scopes: ['forecasts:write', 'keys:manage'] });
    const { json } = await post('/open/v1/console/links', key, {});
    expect([json.code, (json.data as { errors: object[] }).errors]).toEqual([
      '42201',
      [{ field: 'scopes', rule: 'required', message: expect.stringContaining('weighing:read') }],
    ]);
    expect((await linked(key, { scopes: ['forecasts:write'] })).scopes).toEqual(['forecasts:write']);
  });
});
