import { describe, expect, test } from '@jest/globals';
import { documentToken, documentUrl } from './document-url.ts';
import { type FileOwner, fileUrl, isFileUrlOf } from './file-receipt.ts';

const SECRET = 'a secret of the installation';
const owner: FileOwner = { tenantId: 'tnt_1', environment: 'sandbox' };
const token = (changes: { secret?: string; owner?: FileOwner; kind?: 'label' | 'slip'; no?: string; version?: number } = {}): string =>
  documentToken(changes.secret ?? SECRET, changes.owner ?? owner, changes.kind ?? 'label', changes.no ?? 'FC1', changes.version ?? 1);

describe('the token of a document', () => {
  test('is the same for the same version of a forecast, and another for everything else', () => {
    const others = [
      token({ secret: 'another' }),
      token({ owner: { ...owner, tenantId: 'tnt_2' } }),
      token({ owner: { ...owner, environment: 'production' } }),
      token({ kind: 'slip' }),
      token({ no: 'FC2' }),
      token({ version: 2 }),
    ];
    expect(token()).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(token()).toBe(token());
    expect(new Set([token(), ...others]).size).toBe(1 + others.length);
  });
});

describe('the URL of a document', () => {
  test('is no URL of an uploaded file, though it looks like one', () => {
    const uploaded = fileUrl(SECRET, 'https://a.test', owner, token());
    expect(isFileUrlOf(SECRET, owner, uploaded)).toBe(true);
    for (const kind of ['label', 'slip'] as const) {
      const url = documentUrl(SECRET, 'https://a.test', owner, kind, token());
      expect(url.slice(0, -26)).toBe(uploaded.slice(0, -26));
      expect(isFileUrlOf(SECRET, owner, url)).toBe(false);
    }
  });
});
