import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { activeSecrets, FORMER_SECRET_MS, rotate, SECRET_BYTES, secretOf } from './signing-secrets.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const endpoint = endpointFor('tnt_one', { endpointId: 'we_1', createdAt: NOW, updatedAt: NOW });

describe('endpoints', () => {
  test('sign with both secrets for exactly a day after a rotation', () => {
    const rotated = rotate(endpoint, 'whsec_b', false, NOW);
    expect(activeSecrets(rotated, NOW + FORMER_SECRET_MS - 1)).toEqual(['whsec_b', 'whsec_a']);
    expect(activeSecrets(rotated, NOW + FORMER_SECRET_MS)).toEqual(['whsec_b']);
    expect(activeSecrets(rotate(rotated, 'whsec_c', false, NOW), NOW)).toEqual(['whsec_c', 'whsec_b']);
    expect(activeSecrets(rotate(rotated, 'whsec_c', true, NOW), NOW)).toEqual(['whsec_c']);
  });
});

describe('a secret', () => {
  test('is written as Standard Webhooks has it', () => {
    expect(secretOf(new Uint8Array(SECRET_BYTES))).toBe(`whsec_${'A'.repeat(43)}=`);
  });

  test('that is former signs only with an end of its time', () => {
    expect(activeSecrets({ ...endpoint, formerSecret: 'whsec_b' }, NOW)).toEqual(['whsec_a']);
    expect(activeSecrets({ ...endpoint, formerSecretUntil: NOW + 1 }, NOW)).toEqual(['whsec_a']);
  });

  test('that ends at once has no end in the future', () => {
    expect(rotate(endpoint, 'whsec_b', true, NOW)).toMatchObject({ secret: 'whsec_b', formerSecret: null, formerSecretUntil: null });
    expect(rotate(endpoint, 'whsec_b', false, NOW)).toMatchObject({ formerSecret: 'whsec_a', formerSecretUntil: NOW + FORMER_SECRET_MS });
  });
});
