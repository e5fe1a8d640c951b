import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { composeOperatorToken, OPERATOR_TOKEN_BYTES } from '../../accounts/domain/operator.ts';
import { composeKey, hashKey, KEY_RANDOM_BYTES } from '../../edge/domain/api-key.ts';
import { SessionTokens } from '../../edge/session-tokens.ts';
import { failureContent, keptPath } from './failed-call.ts';

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
      composeOperatorToken(randomBytes(OPERATOR_TOKEN_BYTES)),
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
