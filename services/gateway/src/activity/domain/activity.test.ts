import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { composeOperatorToken } from '../../operators/domain/operator.ts';
import { composeKey, hashKey, KEY_RANDOM_BYTES } from '../../proxy/domain/api-key.ts';
import { SessionTokens } from '../../proxy/domain/session.ts';
import { type CountedDay, usageOf } from '../read-usage.ts';
import { auditEndOf } from './audit-entry.ts';
import { failureContent, keptPath } from './failed-call.ts';

test.each([
  [200, false, 'success'],
  [202, false, 'success'],
  [200, true, 'refused'],
  [404, false, 'refused'],
  [422, false, 'refused'],
  [429, false, 'refused'],
  [499, false, 'unknown'],
  [500, false, 'unknown'],
  [503, false, 'unknown'],
])('a response with %i, repeated: %s, ends an entry as %s', (status, isRepetition, end) => {
  expect(auditEndOf(status, isRepetition)).toBe(end);
});

describe('what is kept of a failed call', () => {
  test('code, message and data of the response', () => {
    const data = { errors: [{ field: 'due_date', rule: 'required', message: 'due_date is required' }] };
    expect(failureContent({ code: '42201', message: 'Invalid', data })).toEqual({
      code: '42201',
      message: 'Invalid',
      data: JSON.stringify(data),
    });
    expect(failureContent({ code: '40401', message: 'Missing', data: null })).toEqual({ code: '40401', message: 'Missing', data: null });
  });

  test('no large data, and no endless message', () => {
    const kept = failureContent({ code: '42201', message: 'x'.repeat(5000), data: { errors: 'y'.repeat(4096) } });
    expect(kept.data).toBeNull();
    expect(kept.message).toHaveLength(1000);
    expect(failureContent({ code: '42201', message: '', data: 'y'.repeat(4094) }).data).toHaveLength(4096);
  });

  test('nothing of a response that is no envelope', () => {
    for (const response of [null, 7, 'text', [], { code: 7, message: {} }]) {
      expect(failureContent(response)).toEqual({ code: null, message: null, data: null });
    }
  });

  test('no secret, wherever it was sent', () => {
    const key = composeKey('sandbox', randomBytes(KEY_RANDOM_BYTES));
    const token = new SessionTokens(['a secret of the installation, long enough']).seal(hashKey(key), ['weighing:read'], 1);
    for (const secret of [
      key,
      composeKey('production', randomBytes(KEY_RANDOM_BYTES)),
      token,
      composeOperatorToken(randomBytes(KEY_RANDOM_BYTES)),
    ]) {
      const kept = failureContent({ code: '40403', message: `no ${secret}`, data: { given: secret } });
      expect(JSON.stringify([kept, keptPath(`/open/v1/keys/${secret}`)])).not.toContain(secret.slice(12));
      // Not a part of it either, where the path is cut.
      expect(keptPath(`/${'a'.repeat(470)}/${secret}`)).not.toContain(secret.slice(8, 16));
    }
    const encoded = key.replaceAll('_', '%5f');
    expect(keptPath(`/open/v1/keys/${encoded}`)).toBe('/open/v1/keys/pf_test_****');
  });

  test('at most 500 characters of the path', () => {
    expect(keptPath('/open/v1/forecasts')).toBe('/open/v1/forecasts');
    expect(keptPath(`/${'a'.repeat(500)}`)).toBe(`/${'a'.repeat(498)}…`);
  });
});

describe('the days of the usage', () => {
  test('have what all services counted, and zeros', () => {
    const counted: CountedDay[] = [
      { day: '2026-02-28', amounts: { calls: 5, failed_calls: 1 } },
      { day: '2026-02-28', amounts: { parcels: 2 } },
      { day: '2026-03-01', amounts: { calls: 1, other: 7 } },
    ];
    const { days, total } = usageOf({ from: '2026-02-27', to: '2026-03-01' }, counted);
    const none = { calls: 0, failed_calls: 0, parcels: 0, events: 0, files: 0, stored_bytes: 0, storage: null };
    expect(days).toEqual([
      { date: '2026-02-27', ...none },
      { date: '2026-02-28', ...none, calls: 5, failed_calls: 1, parcels: 2 },
      { date: '2026-03-01', ...none, calls: 1 },
    ]);
    expect(total).toEqual({ ...none, calls: 6, failed_calls: 1, parcels: 2 });
  });

  test('have what was measured, null where nothing was, and the latest of it as the total', () => {
    const counted: CountedDay[] = [
      { day: '2026-03-01', amounts: { calls: 5 } },
      { day: '2026-03-01', amounts: { files: 1, storage_files: 3, storage_bytes: 300 } },
      { day: '2026-03-02', amounts: { storage_files: 0, storage_bytes: 0 } },
    ];
    const { days, total } = usageOf({ from: '2026-02-28', to: '2026-03-03' }, counted);
    expect(days.map(({ storage }) => storage)).toEqual([null, { files: 3, bytes: 300 }, { files: 0, bytes: 0 }, null]);
    expect(total).toMatchObject({ files: 1, storage: { files: 0, bytes: 0 } });
  });
});
