import { afterEach, expect, jest, test } from '@jest/globals';
import { printable } from './printable.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const responds = (response: () => Promise<Response>): void => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(response);
};
const as = (type: string, status = 200): ResponseInit => ({ status, headers: { 'Content-Type': type } });

test.each(['application/pdf', 'image/png', 'image/jpeg; charset=binary'])('%s is a document', async (type) => {
  responds(async () => new Response('content', as(type)));
  expect(await (await printable('https://example.com/files/a.pdf', 1000)).text()).toBe('content');
});

test.each<[string, () => Promise<Response>, object]>([
  [
    'a file that is gone',
    async () => new Response('{"code":"40403","message":"No such file","data":null}', as('application/json', 404)),
    { code: '40403', detail: 'No such file' },
  ],
  [
    'a label that is not made yet',
    async () => new Response('{"code":"50301","message":"Try again","data":null}', as('application/json', 503)),
    { code: '50301' },
  ],
  ['an error under the type of a document', async () => new Response('%PDF', as('application/pdf', 502)), { code: 'unreadable' }],
  ['a page of a proxy', async () => new Response('<h1>Sign in</h1>', as('text/html')), { code: 'unreadable' }],
  [
    'an envelope in place of a document',
    async () => new Response('{"code":"0","data":{}}', as('application/json')),
    { code: 'unreadable' },
  ],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), { code: 'offline' }],
])('%s is none, and says why', async (_what, response, failure) => {
  responds(response);
  await expect(printable('https://example.com/files/a.pdf', 1000)).rejects.toMatchObject(failure);
});
