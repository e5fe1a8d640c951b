import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { keepFocusOut, printable } from './printable.ts';

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

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A page whose printing frame has the focus, which a field had before. */
function printed(isConnected = true) {
  const page: { activeElement: unknown } = { activeElement: 'body' };
  const take = (what: unknown) => (): void => {
    page.activeElement = what;
  };
  const frame = { blur: take('body') };
  const field = { isConnected, focus: (): void => take(field)() };
  const view = new EventTarget();
  page.activeElement = frame;
  const end = keepFocusOut(page, frame, field, [view]);
  return { page, frame, field, view, end };
}

test('the focus is back as soon as a document is printed', () => {
  const { page, field, end } = printed();
  expect(page.activeElement).toBe(field);
  end();
});

test('a frame that takes the focus later loses it after printing, or at the next look', () => {
  const { page, frame, field, view, end } = printed();
  page.activeElement = frame;
  view.dispatchEvent(new Event('afterprint'));
  expect(page.activeElement).toBe(field);
  for (let time = 0; time < 3; time += 1) {
    page.activeElement = frame;
    jest.advanceTimersByTime(1000);
    expect(page.activeElement).toBe(field);
  }
  end();
});

test('what else has the focus keeps it, and nothing is looked at once the frame is gone', () => {
  const { page, frame, view, end } = printed();
  page.activeElement = 'an input of a dialog';
  jest.advanceTimersByTime(1000);
  expect(page.activeElement).toBe('an input of a dialog');
  end();
  page.activeElement = frame;
  view.dispatchEvent(new Event('afterprint'));
  jest.advanceTimersByTime(5000);
  expect(page.activeElement).toBe(frame);
  expect(jest.getTimerCount()).toBe(0);
});

test('an element that has left the page does not get the focus', () => {
  const { page, end } = printed(false);
  expect(page.activeElement).toBe('body');
  end();
});
