import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FairTurns } from '@parcelway/kernel/fair-shares';
import type { ContentRange } from '../domain/content-range.ts';
import { Download, Downloads, type Sink, type Source } from './download.ts';
import type { UpstreamRequest } from './upstream-connections.ts';

const WHOLE: ContentRange = { first: 0, last: 999 };
const CHUNK = Buffer.alloc(100);

/** A client: reads everything at once, or on request. */
class Client implements Sink {
  readsAtOnce = true;
  received = 0;
  ended = false;
  failed: Error | undefined;
  #onReady: (() => void) | undefined;

  writePart(chunk: Buffer): boolean {
    this.received += chunk.length;
    return this.readsAtOnce;
  }

  onReady(callback: () => void): void {
    this.#onReady = callback;
  }

  read(): void {
    const callback = this.#onReady;
    this.#onReady = undefined;
    callback?.();
  }

  end(): void {
    this.ended = true;
  }

  fail(error: Error): void {
    this.failed = error;
  }
}

/** Downloads that share one place, with the ranges that were asked for. */
function onePlace() {
  const places = new FairTurns({ capacity: 1, part: 1 });
  const lagging = new Downloads(250);
  const asked: { readonly range: ContentRange; readonly handler: UpstreamRequest }[] = [];
  const start = (holder: string) => {
    const client = new Client();
    const source: Source = { abort: jest.fn(), resume: jest.fn() };
    const ask = (range: ContentRange, handler: UpstreamRequest): void => {
      asked.push({ range, handler });
    };
    return { client, source, download: new Download({ sink: client, places, holder, lagging, ask }, WHOLE, source) };
  };
  return { asked, start };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a download keeps its place as long as nobody waits for one', () => {
  const { asked, start } = onePlace();
  const { source, download } = start('a');
  jest.advanceTimersByTime(10_000);
  expect(download.data(source, CHUNK)).toBe(true);
  expect(source.abort).not.toHaveBeenCalled();
  expect(asked).toHaveLength(0);
});

test.each([
  ['reads as fast as it can', true],
  ['reads slowly, but never stops', false],
])('a download whose client %s leaves its place to who waits when its turn is over', (_what, readsAtOnce) => {
  const { asked, start } = onePlace();
  const first = start('a');
  const second = start('b');
  second.client.readsAtOnce = false;
  expect(second.download.data(second.source, CHUNK)).toBe(false);
  expect(second.source.abort).toHaveBeenCalledTimes(1);
  second.client.read();
  expect(asked).toHaveLength(0);

  first.client.readsAtOnce = readsAtOnce;
  jest.advanceTimersByTime(900);
  first.download.data(first.source, CHUNK);
  first.client.read();
  expect(first.source.abort).not.toHaveBeenCalled();
  jest.advanceTimersByTime(200);
  expect(first.download.data(first.source, CHUNK)).toBe(false);
  expect(first.source.abort).toHaveBeenCalledTimes(1);
  expect(asked.map(({ range }) => range)).toEqual([{ first: 100, last: 999 }]);

  // It waits for the next place and goes on where it was.
  first.client.read();
  expect(asked).toHaveLength(1);
  const part = asked[0]?.handler as UpstreamRequest;
  second.client.readsAtOnce = true;
  part.onData(Buffer.alloc(900));
  part.onComplete();
  expect(second.client).toMatchObject({ received: 1000, ended: true, failed: undefined });
  expect(asked.map(({ range }) => range)).toEqual([
    { first: 100, last: 999 },
    { first: 200, last: 999 },
  ]);
});

test('the last part of a content is not asked for again, though the turn is over', () => {
  const { asked, start } = onePlace();
  const first = start('a');
  const second = start('b');
  second.client.readsAtOnce = false;
  second.download.data(second.source, CHUNK);
  second.client.read();
  jest.advanceTimersByTime(2000);
  expect(first.download.data(first.source, Buffer.alloc(1000))).toBe(true);
  first.download.complete(first.source);
  expect(first.client).toMatchObject({ received: 1000, ended: true });
  expect(first.source.abort).not.toHaveBeenCalled();
  expect(asked.map(({ range }) => range)).toEqual([{ first: 100, last: 999 }]);
});

test('a download whose client is gone leaves its place', () => {
  const { asked, start } = onePlace();
  const first = start('a');
  const second = start('b');
  second.client.readsAtOnce = false;
  second.download.data(second.source, CHUNK);
  second.client.read();
  first.download.close();
  expect(asked).toHaveLength(1);
});

test('a client that lags behind leaves its place and goes on when it has read', () => {
  const { asked, start } = onePlace();
  const { client, source, download } = start('a');
  client.readsAtOnce = false;
  expect(download.data(source, CHUNK)).toBe(false);
  jest.advanceTimersByTime(200);
  expect(source.abort).not.toHaveBeenCalled();
  jest.advanceTimersByTime(400);
  expect(source.abort).toHaveBeenCalledTimes(1);
  client.read();
  expect(asked.map(({ range }) => range)).toEqual([{ first: 100, last: 999 }]);
});
