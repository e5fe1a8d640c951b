import { describe, expect, test } from '@jest/globals';
import { UnreadClient } from '@parcelway/harness/unread-client';
import { until } from '@parcelway/kernel/testing/until';
import { ends } from '../../testing/ends.ts';
import { noting, startGateway, type TestGateway } from '../../testing/harness.ts';

const MB = 1024 * 1024;
/** A failure of more bytes than a small response has. */
const FAILURE = JSON.stringify({ code: '42201', message: 'x'.repeat(100_000), data: null });
const BODY = JSON.stringify({ code: '0', message: 'success', data: 'x'.repeat(8 * MB) });

let gateway: TestGateway;
let lines: unknown[];

async function ask(path: string, key: string): Promise<UnreadClient> {
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: ${key}\r\n\r\n`;
  const client = await UnreadClient.open({ port: gateway.port, ca: gateway.tls?.cert ?? null }, head);
  ends.push(() => client.destroy());
  return client;
}

/** A gateway before a service with long responses to the merchants' list. */
async function startLong(isLocal: boolean): Promise<void> {
  const noted = noting();
  ({ lines } = noted);
  gateway = await startGateway(
    (req, res) => {
      const text = req.url === '/open/v1/forecasts' ? BODY : '{"code":"0"}';
      if (req.url === '/open/v1/forecasts/weighing') {
        res.statusCode = 422;
        res.end(FAILURE);
        return;
      }
      res.setHeader('Content-Length', text.length);
      res.end(text);
    },
    { limitRates: false, logger: noted.logger, isLocal },
  );
}

describe.each([
  ['another process', false],
  ['the same process', true],
])('a long response of a service in %s', (_where, isLocal) => {
  test('arrives whole once it is read', async () => {
    await startLong(isLocal);
    const { key } = await gateway.issue();
    const some = await Promise.all([1, 2, 3].map(() => ask('/open/v1/forecasts', key)));
    for (const client of some) client.read();
    await until(() => some.every(({ closed }) => closed), { what: 'the ends of the responses' });
    for (const { received } of some) expect(received).toBeGreaterThan(BODY.length);
  });

  test('is refused when its holder leaves too many unread, and logged; others get a response', async () => {
    await startLong(isLocal);
    const { key } = await gateway.issue();
    const limited = (): boolean => lines.some((line) => (line as { limit?: string }).limit === 'unread_responses');
    for (let asked = 0; !limited() && asked < 80; asked += 1) await ask('/open/v1/forecasts', key);
    await until(limited, { what: 'the log line' });
    expect(lines).toContainEqual({ limit: 'unread_responses', client: 'tenant tnt_1', times: 1 });
    expect(await gateway.call('/open/v1/forecasts', { key })).toMatchObject({ status: 429, json: { code: '42901' } });
    if (isLocal) expect(await gateway.call('/open/v1/forecasts/weighing', { key })).toMatchObject({ status: 422, text: FAILURE });
    const warehouse = (await gateway.issue({ holder: { kind: 'warehouse', warehouseCode: 'W1' } })).key;
    const event = await gateway.call('/warehouse/v1/events', { key: warehouse, method: 'POST', body: '{}' });
    expect(event.status).toBe(200);
  });
});
