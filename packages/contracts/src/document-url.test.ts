import { describe, expect, test } from '@jest/globals';
import { documentUrl, type NamedDocument, readDocumentName } from './document-url.ts';
import { isFileUrlOf } from './file-receipt.ts';

const SECRET = 'a secret of the installation';
const label: NamedDocument = { kind: 'label', tenantId: 'tnt_1', forecastNo: 'FC261121K7Q0Z4M2XT', version: 12 };
const urlOf = (named: NamedDocument, secret = SECRET): string => documentUrl(secret, 'https://a.test', 'sandbox', named);
const nameIn = (url: string): string => url.slice('https://a.test/files/'.length);
const read = (url: string, secret = SECRET, environment: 'sandbox' | 'production' = 'sandbox') =>
  readDocumentName(secret, environment, nameIn(url));

describe('the URL of a document', () => {
  test('is always the same, and names the document', () => {
    expect(urlOf(label)).toMatch(/^https:\/\/a\.test\/files\/label\.tnt_1\.FC261121K7Q0Z4M2XT\.v12-[A-Za-z0-9_-]{22}\.pdf$/);
    expect(urlOf(label)).toBe(urlOf({ ...label }));
    expect(read(urlOf(label))).toEqual(label);
    expect(read(urlOf({ ...label, kind: 'slip' }))).toEqual({ ...label, kind: 'slip' });
  });

  test('opens nothing with another secret, environment, name or signature', () => {
    const url = urlOf(label);
    expect(read(url, 'another')).toBeUndefined();
    expect(read(url, SECRET, 'production')).toBeUndefined();
    for (const [from, to] of [
      ['label', 'slip'],
      ['tnt_1', 'tnt_2'],
      ['4M2XT', '4M2XS'],
      ['v12', 'v13'],
      ['v12', 'v012'],
      ['.pdf', '.png'],
    ] as const)
      expect([to, read(url.replace(from, to))]).toEqual([to, undefined]);
    expect(read(`${url.slice(0, -26)}${'A'.repeat(22)}.pdf`)).toBeUndefined();
  });

  test('is no URL of an uploaded file', () => {
    expect(isFileUrlOf(SECRET, { tenantId: 'tnt_1', environment: 'sandbox' }, urlOf(label))).toBe(false);
  });
});
