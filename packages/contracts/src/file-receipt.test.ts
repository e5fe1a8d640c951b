import { describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import fc from 'fast-check';
import { encodeFindings, type FileFindings } from './file-findings.ts';
import {
  decodePhotoId,
  encodePhotoId,
  FILE_NAME,
  type FileOwner,
  fileUrl,
  isFileUrlOf,
  type PhotoReceipt,
  readFileUrl,
} from './file-receipt.ts';

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

describe('a file URL with findings', () => {
  const findings: FileFindings = {
    isReadable: true,
    isEncrypted: false,
    isSlow: false,
    pages: 2,
    differing: { page: 2, width: 210, height: 297 },
    barcodes: { hasNumber: true, readings: ['0a0b0c0d', 'fffefdfc'] },
  };
  const url = fileUrl(SECRET, BASE, owner, token, findings);

  test('shows them to its owner, and has the name of a file', () => {
    expect(readFileUrl(SECRET, owner, url)).toEqual({ findings });
    expect(isFileUrlOf(SECRET, owner, url)).toBe(true);
    expect(FILE_NAME.exec(url.slice(url.lastIndexOf('/') + 1))?.[1]).toBe(token);
  });

  test('is another than without, and both are valid', () => {
    const plain = fileUrl(SECRET, BASE, owner, token);
    expect(readFileUrl(SECRET, owner, plain)).toEqual({ findings: undefined });
    expect(FILE_NAME.exec(plain.slice(plain.lastIndexOf('/') + 1))?.[1]).toBe(token);
    expect(readFileUrl(SECRET, owner, url.replace(/\.[\w-]+-/, '-'))).toBeUndefined();
    expect(readFileUrl(SECRET, owner, plain.replace(token, `${token}.${encodeFindings(findings)}`))).toBeUndefined();
  });

  test.each<[string, string, FileOwner]>([
    ['another tenant', SECRET, { ...owner, tenantId: 'tnt_2' }],
    ['the other environment', SECRET, { ...owner, environment: 'production' }],
    ['another installation', 'another secret', owner],
  ])('reveals nothing to %s', (_who, secret, asker) => expect(readFileUrl(secret, asker, url)).toBeUndefined());

  test('reveals nothing after any character was changed, removed or added', () => {
    const from = url.lastIndexOf('/') + 1;
    fc.assert(
      fc.property(
        fc.integer({ min: from, max: url.length - 5 }),
        fc.constantFrom('A', 'z', '-', '_', '.', '~', '%2E', ''),
        (index, other) => {
          const changed = url.slice(0, index) + other + url.slice(index + 1);
          const longer = url.slice(0, index) + other + url.slice(index);
          for (const text of [changed, longer]) if (text !== url) expect(readFileUrl(SECRET, owner, text)).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  test('stays far below the longest URL that a forecast takes', () => {
    const page = { page: 9, width: 9, height: 9 };
    const readings = Array.from({ length: 100 }, () => 'ffffffff');
    const longest = fileUrl(SECRET, BASE, owner, token, {
      ...findings,
      unusual: page,
      differing: page,
      barcodes: { hasNumber: true, readings },
    });
    expect(longest.length - BASE.length).toBeLessThan(300);
    expect(readFileUrl(SECRET, owner, longest)?.findings?.barcodes.readings).toHaveLength(32);
  });

  test('of another version is valid, and reveals nothing that this one knows', () => {
    const plain = fileUrl(SECRET, BASE, owner, `${token}.AgEAAQ`);
    expect(readFileUrl(SECRET, owner, plain)).toEqual({ findings: undefined });
  });
});

describe('a photo id', () => {
  const receipt: PhotoReceipt = {
    id: 41,
    image_path: 'photos/LAX1/41.jpg',
    image_url: `${BASE}/photos/x.jpg`,
    file_size: 1234,
    upload_time: '2026-11-21T00:00:00+00:00',
    warehouse_code: 'LAX1',
    environment: 'sandbox',
  };
  const photoId = encodePhotoId(SECRET, receipt);

  test('carries its receipt', () => {
    expect(decodePhotoId(SECRET, photoId)).toEqual(receipt);
  });

  test('is good for nothing elsewhere', () => {
    expect(decodePhotoId('another secret', photoId)).toBeUndefined();
  });

  test('is refused after a change of any character', () => {
    const places = Array.from({ length: photoId.length }, (_, index) => index);
    expect(places.filter((index) => decodePhotoId(SECRET, altered(photoId, index)) !== undefined)).toEqual([]);
  });

  test.each(['', 'ph_', 'ph_.', '41', 'ph_e30', `x${'ph_e30.'}`, 'ph_e30.AAAAAAAAAAAAAAAAAAAAAA', 'ph_!!.AAAAAAAAAAAAAAAAAAAAAA'])(
    'is not %p',
    (text) => expect(decodePhotoId(SECRET, text)).toBeUndefined(),
  );

  test('is not a file URL’s signature in disguise', () => {
    const body = Buffer.from(JSON.stringify(receipt)).toString('base64url');
    const signature = fileUrl(SECRET, BASE, { tenantId: body, environment: 'sandbox' }, token).slice(-26, -4);
    expect(decodePhotoId(SECRET, `ph_${body}.${signature}`)).toBeUndefined();
  });
});
