import { describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import { type FileOwner, fileTokenOf, fileUrl, isFileUrlOf, photoTokenOf } from './file-receipt.ts';

const SECRET = 'a secret of the file service';
const BASE = 'https://files.example:8443';
const owner: FileOwner = { tenantId: 'tnt_1', environment: 'sandbox' };
const token = newToken(16);

/** The text with one character replaced by another of the alphabet. */
function altered(text: string, index: number): string {
  const other = text[index] === 'A' ? 'B' : 'A';
  return text.slice(0, index) + other + text.slice(index + 1);
}

describe('a file URL', () => {
  const url = fileUrl(SECRET, BASE, owner, token);

  test('is an address that ends in .pdf and cannot be guessed', () => {
    expect(url).toMatch(/^https:\/\/files\.example:8443\/files\/[A-Za-z0-9_-]{22}-[A-Za-z0-9_-]{22}\.pdf$/);
    expect(url).toContain(token);
  });

  test('is recognised as its owner’s, always the same', () => {
    expect(isFileUrlOf(SECRET, owner, url)).toBe(true);
    expect(fileUrl(SECRET, BASE, owner, token)).toBe(url);
  });

  test.each(['https://other.example', 'http://127.0.0.1:9000', 'https://h.example/under/a/path'])(
    'is recognised when it was made under the base address %s',
    (base) => expect(isFileUrlOf(SECRET, owner, fileUrl(SECRET, base, owner, token))).toBe(true),
  );

  test.each<[string, string, FileOwner]>([
    ['another tenant', SECRET, { ...owner, tenantId: 'tnt_2' }],
    ['the other environment', SECRET, { ...owner, environment: 'production' }],
    ['another installation', 'another secret', owner],
  ])('is not recognised by %s', (_who, secret, asker) => {
    expect(isFileUrlOf(secret, asker, url)).toBe(false);
  });

  test('is not recognised after any character of token or signature changed', () => {
    const from = url.lastIndexOf('/') + 1;
    const places = Array.from({ length: 45 }, (_, offset) => from + offset);
    expect(places.filter((index) => isFileUrlOf(SECRET, owner, altered(url, index)))).toEqual([]);
  });

  test.each([
    ['another host', (text: string) => text.replace('files.example', 'evil.example')],
    ['http instead of https', (text: string) => text.replace('https:', 'http:')],
    ['a query', (text: string) => `${text}?a=1`],
    ['a fragment', (text: string) => `${text}#a`],
    ['a longer path', (text: string) => `${text}/x`],
    ['another extension', (text: string) => text.replace('.pdf', '.exe')],
    ['a blank in front', (text: string) => ` ${text}`],
    ['a line feed behind', (text: string) => `${text}\n`],
    ['nothing left', () => ''],
  ])('is not recognised with %s', (_what, change) => {
    expect(isFileUrlOf(SECRET, owner, change(url))).toBe(false);
  });

  test('does not let parts of the owner flow into each other', () => {
    const joined: FileOwner = { tenantId: 'tnt_1\nsandbox', environment: 'sandbox' };
    expect(isFileUrlOf(SECRET, joined, url)).toBe(false);
  });
});

describe('the token in a URL', () => {
  test('is that of the file, inspected or not', () => {
    expect(fileTokenOf(fileUrl(SECRET, BASE, owner, token))).toBe(token);
    const inspected = `${BASE}/files/${token}.AAEC-${'s'.repeat(22)}.pdf`;
    expect(fileTokenOf(inspected)).toBe(token);
    expect(fileTokenOf('https://elsewhere.example/label.pdf')).toBeUndefined();
  });

  test('is that of the photo', () => {
    expect(photoTokenOf(`${BASE}/photos/${token}.jpg`)).toBe(token);
    expect(photoTokenOf(`${BASE}/photos/short.jpg`)).toBeUndefined();
  });
});
