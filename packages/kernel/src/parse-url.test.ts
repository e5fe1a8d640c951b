import { expect, test } from '@jest/globals';
import { parseUrl } from './parse-url.ts';

test.each([
  ['https://receiver.example/hook?x=1', 'receiver.example'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://[2606:4700::1111]/', '[2606:4700::1111]'],
])('%s names the host %s, however often it is asked', (text, host) => {
  // As often as V8 needs to compile the caller.
  for (let call = 0; call < 20_000; call += 1) if (parseUrl(text)?.hostname !== host) throw new Error(`call ${call} finds another host`);
  expect(parseUrl(text)?.hostname).toBe(host);
});

test.each(['', 'receiver.example', '/hook', 'https://', 'https://a b/', 'https://[::1/'])('"%s" is none', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});
