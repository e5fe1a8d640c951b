import { expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { en } from './en.ts';
import { failureText, linkFailureText } from './failure-text.ts';

const said = (code: string, parts: ConstructorParameters<typeof ApiFailure>[1] = {}): string =>
  failureText(new ApiFailure(code, parts), en.failures);

test('codes become sentences with what to do', () => {
  expect(said('40003')).toBe(en.failures.badKey);
  expect(said('42901', { retryAfterSeconds: 7 })).toContain('in 7 seconds');
  expect(said('42901')).toContain('in 1 second.');
  expect(said('50001')).toBe(en.failures.carrier);
  expect(said('timeout')).toBe(en.failures.timeout);
});

test('a missing permission names the scope; the wrong kind of key is another matter', () => {
  expect(said('40301', { detail: 'The API key lacks the scope webhooks:manage' })).toMatch(/with this scope: webhooks:manage$/);
  expect(said('40301', { detail: 'The API key must not be used from the address 192.0.2.1. Call from' })).toBe(en.failures.wrongAddress);
  expect(said('40301', { detail: 'This endpoint Sign in with the key of a tenant' })).toBe(en.failures.warehouseKey);
});

test('a conflict keeps the reason that the platform gives', () => {
  expect(said('40902', { detail: 'The endpoint is disabled' })).toContain('The endpoint is disabled');
});

test('a code without a text of its own is shown with the message of the platform', () => {
  expect(said('50000', { detail: 'Internal error' })).toBe(`${en.failures.other} 50000 Internal error`);
});

test('a link that opens nothing is no matter of a key', () => {
  const saidOfLink = (code: string): string => linkFailureText(new ApiFailure(code), en);
  expect(saidOfLink('40003')).toBe(`${en.link.failed} ${en.link.ended}`);
  expect(saidOfLink('40302')).toBe(`${en.link.failed} ${en.link.suspended}`);
  expect(saidOfLink('42901')).toContain('Too many requests');
});
