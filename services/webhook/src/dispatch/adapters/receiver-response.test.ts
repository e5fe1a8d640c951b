import { afterEach, describe, expect, test } from '@jest/globals';
import { opened, start } from '../../testing/receiver-exchanges.ts';

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

describe('a response', () => {
  test('may ask for a pause, in whatever case its header is written', async () => {
    const { send } = await start((_req, res) => void res.writeHead(503, ['X-Other', 'a', 'RETRY-After', '120']).end());
    expect(await send()).toEqual({
      statusCode: 503,
      error: 'The response had status 503',
      responseBody: '',
      retryAfter: '120',
      errorCode: 'status',
    });
  });

  test('counts after interim ones', async () => {
    const { send } = await start((_req, res) => {
      res.writeProcessing();
      res.writeHead(201).end('made');
    });
    expect(await send()).toMatchObject({ statusCode: 201, responseBody: 'made' });
  });

  test('keeps its characters, in pieces as well', async () => {
    const { send } = await start((_req, res) => {
      const bytes = Buffer.from('größer');
      // The first piece ends within a character.
      res.write(bytes.subarray(0, 3), () => setImmediate(() => res.end(bytes.subarray(3))));
    });
    expect((await send()).responseBody).toBe('größer');
  });
});
