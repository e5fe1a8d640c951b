import { describe, expect, test } from '@jest/globals';
import { attemptErrorCodes, type DeliveryAttempt } from '@parcelway/contracts/webhook-delivery-api';
import { en } from '../../messages/en.ts';
import { zh } from '../../messages/zh.ts';
import { errorText, lastFault } from './attempt-error.ts';

describe('why an attempt had no good response', () => {
  test('is said in the language of the reader', () => {
    const attempt = { error: 'The connection was refused', error_code: 'connection_refused' };
    expect(errorText(attempt, en.delivery)).toBe(
      'The connection was refused. Check that the receiver is running and that the port is correct.',
    );
    expect(errorText(attempt, zh.delivery)).toBe('连接被拒绝。请检查接收方是否在运行、端口是否正确。');
  });

  test('keeps what only the platform knows', () => {
    const attempt = { error: 'The TLS connection could not be made: CERT_HAS_EXPIRED', error_code: 'tls' };
    expect(errorText(attempt, zh.delivery)).toContain('CERT_HAS_EXPIRED');
  });

  test.each([null, 'a_code_of_tomorrow'])('is the sentence of the platform where the code is %p', (error_code) => {
    expect(errorText({ error: 'Nobody knows', error_code }, en.delivery)).toBe('No valid response: Nobody knows');
  });

  test('has words for every code', () => {
    for (const { errors } of [en.delivery, zh.delivery]) expect(Object.keys(errors)).toEqual([...attemptErrorCodes]);
  });

  test('is not shown for a success', () => {
    expect(errorText({ error: null, error_code: null }, en.delivery)).toBeNull();
  });
});

describe('what went wrong last', () => {
  const attempt = (fields: Partial<DeliveryAttempt>): DeliveryAttempt => ({
    attempt_id: 'att_one',
    attempt_number: 1,
    url: 'https://merchant.example/hook',
    start_time: '2026-11-24T01:15:00.000+00:00',
    duration_ms: 12,
    outcome: 'failed',
    status_code: null,
    retry_after: null,
    response_body: null,
    error: null,
    error_code: null,
    ...fields,
  });
  const refused = attempt({ error: 'The connection was refused', error_code: 'connection_refused' });

  test('is the sentence of the attempt where no response came, so that the page need not say it twice', () => {
    expect(lastFault('failed', refused, en.delivery)).toBe(errorText(refused, en.delivery));
  });

  test.each([
    [503, 'The receiver returned 503.'],
    [302, 'The receiver returned 302. Redirects are not followed. They count as failures.'],
  ])('is the status where one came: %d', (status_code, said) => {
    expect(lastFault('pending', attempt({ status_code, error: 'status', error_code: 'status' }), en.delivery)).toBe(said);
  });

  test('is nothing once the delivery has succeeded, and before the first attempt', () => {
    expect(lastFault('succeeded', refused, en.delivery)).toBe('');
    expect(lastFault('pending', undefined, en.delivery)).toBe('');
  });
});
