import { describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import fc from 'fast-check';
import { namesAnyNumber, summariseBarcodes } from './barcode-readings.ts';
import { encodeFindings, type FileFindings } from './file-findings.ts';
import {
  decodeImageId,
  decodePhotoId,
  encodeImageId,
  encodePhotoId,
  type FileOwner,
  fileTokenOf,
  fileTokensIn,
  fileUrl,
  type ImageReceipt,
  lastingFileUrl,
  type PhotoReceipt,
  photoTokenOf,
  readFileName,
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
    expect(readFileUrl(SECRET, owner, url)).toBeDefined();
    expect(fileUrl(SECRET, BASE, owner, token)).toBe(url);
  });

  test.each(['https://other.example', 'http://127.0.0.1:9000', 'https://h.example/under/a/path'])(
    'is recognised when it was made under the base address %s',
    (base) => expect(readFileUrl(SECRET, owner, fileUrl(SECRET, base, owner, token))).toBeDefined(),
  );

  test.each<[string, string, FileOwner]>([
    ['another tenant', SECRET, { ...owner, tenantId: 'tnt_2' }],
    ['the other environment', SECRET, { ...owner, environment: 'production' }],
    ['another installation', 'another secret', owner],
  ])('is not recognised by %s', (_who, secret, asker) => {
    expect(readFileUrl(secret, asker, url)).toBeUndefined();
  });

  test('is not recognised after any character of token or signature changed', () => {
    const from = url.lastIndexOf('/') + 1;
    const places = Array.from({ length: 45 }, (_, offset) => from + offset);
    expect(places.filter((index) => readFileUrl(SECRET, owner, altered(url, index)))).toEqual([]);
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
    expect(readFileUrl(SECRET, owner, change(url))).toBeUndefined();
  });

  test('does not let parts of the owner flow into each other', () => {
    const joined: FileOwner = { tenantId: 'tnt_1\nsandbox', environment: 'sandbox' };
    expect(readFileUrl(SECRET, joined, url)).toBeUndefined();
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

describe('a file URL with findings', () => {
  const findings: FileFindings = {
    isReadable: true,
    isEncrypted: false,
    isSlow: false,
    pages: 2,
    differing: { page: 2, width: 210, height: 297 },
    barcodes: { hasNumber: true, readings: ['0a0b0c0d', 'fffefdfc'] },
  };
  const url = fileUrl(SECRET, BASE, owner, token, { findings });

  test('shows them to its owner, and has the name of a file', () => {
    expect(readFileUrl(SECRET, owner, url)).toEqual({ findings });
    expect(readFileName(SECRET, url.slice(url.lastIndexOf('/') + 1))?.tokens).toEqual([token]);
  });

  test('is another than without, and both are valid', () => {
    const plain = fileUrl(SECRET, BASE, owner, token);
    expect(readFileUrl(SECRET, owner, plain)).toEqual({ findings: undefined });
    expect(readFileName(SECRET, plain.slice(plain.lastIndexOf('/') + 1))?.tokens).toEqual([token]);
    expect(readFileUrl(SECRET, owner, url.replace(/\.[\w-]+-/, '-'))).toBeUndefined();
    expect(readFileUrl(SECRET, owner, plain.replace(token, `${token}.${encodeFindings(findings)}`))).toBeUndefined();
  });

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
      findings: { ...findings, unusual: page, differing: page, barcodes: { hasNumber: true, readings } },
      expiresAt: 4_102_444_800_000,
    });
    expect(longest.length - BASE.length).toBeLessThan(300);
    expect(readFileUrl(SECRET, owner, longest)?.findings?.barcodes.readings).toHaveLength(32);
  });

  test('of another version is valid, and reveals nothing that this one knows', () => {
    const plain = fileUrl(SECRET, BASE, owner, `${token}.AgEAAQ`);
    expect(readFileUrl(SECRET, owner, plain)).toEqual({ findings: undefined });
  });
});

const expiresAt = Date.UTC(2026, 10, 21);

const findings: FileFindings = {
  isReadable: true,
  isEncrypted: false,
  isSlow: false,
  pages: 2,
  barcodes: { hasNumber: false, readings: [] },
};

const nameIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

describe.each<[string, FileFindings | undefined]>([
  ['without findings', undefined],
  ['with findings', findings],
])('a file URL that expires, %s', (_what, found) => {
  const url = fileUrl(SECRET, BASE, owner, token, { findings: found, expiresAt });
  const lasting = fileUrl(SECRET, BASE, owner, token, { findings: found });

  test('is a receipt for its owner alone, and leads to its file', () => {
    expect(readFileUrl(SECRET, owner, url)).toEqual({ findings: found });
    expect(readFileUrl(SECRET, { ...owner, tenantId: 'tnt_2' }, url)).toBeUndefined();
    expect(readFileName(SECRET, nameIn(url))).toEqual({ tokens: [token], expiresAt });
    expect(readFileName(SECRET, nameIn(lasting))).toEqual({ tokens: [token], expiresAt: undefined });
    expect([fileTokensIn(SECRET, url), fileTokensIn(SECRET, lasting)]).toEqual([[token], [token]]);
  });

  test('does not show the token, which opens the file for ever', () => {
    expect(url).not.toContain(token);
    expect(fileTokenOf(url)).toBeUndefined();
    expect(fileTokensIn(SECRET, url.replace(/~[0-9a-z]+/, ''))).not.toContain(token);
    expect(fileTokensIn(SECRET, 'https://elsewhere.example/a.pdf')).toEqual([]);
  });

  test('leads to no file, and is no receipt, with another expiry', () => {
    const later = url.replace(/~[0-9a-z]+/, '~zzzzzz');
    expect(readFileName(SECRET, nameIn(later))?.tokens).not.toContain(token);
    expect(readFileUrl(SECRET, owner, later)).toBeUndefined();
    expect(readFileName('another secret', nameIn(url))?.tokens).not.toContain(token);
  });

  test('has a lasting URL for those who work on the forecast', () => {
    expect(lastingFileUrl(SECRET, owner, url)).toBe(lasting);
    expect(lastingFileUrl(SECRET, owner, lasting)).toBe(lasting);
    expect(lastingFileUrl(SECRET, { ...owner, tenantId: 'tnt_2' }, url)).toBe(url);
    expect(lastingFileUrl(SECRET, owner, 'https://elsewhere.example/a.pdf')).toBe('https://elsewhere.example/a.pdf');
  });
});

test('an expiry is rounded up to a second', () => {
  const url = fileUrl(SECRET, BASE, owner, token, { expiresAt: expiresAt - 1 });
  expect(readFileName(SECRET, nameIn(url))?.expiresAt).toBe(expiresAt);
});

test.each(['a.pdf', `${token}.pdf`, `${token}~-${token}.pdf`, `${token}~ABC-${token}.pdf`])('%s is no name of a file', (name) =>
  expect(readFileName(SECRET, name)).toBeUndefined(),
);

test('while the secret is being changed, what either of the two has signed is a receipt', () => {
  const BOTH = ['the next secret', SECRET];
  const url = fileUrl(SECRET, BASE, owner, token, { findings, expiresAt });
  expect(readFileUrl(BOTH, owner, url)).toEqual({ findings });
  expect(readFileUrl(BOTH, { ...owner, tenantId: 'tnt_2' }, url)).toBeUndefined();
  expect(readFileName(BOTH, nameIn(url))?.tokens).toEqual([expect.not.stringMatching(token), token]);
  expect(lastingFileUrl(BOTH, owner, url)).toBe(fileUrl(SECRET, BASE, owner, token, { findings }));
  const photo = { photo_id: 'x', image_url: 'y', warehouse_code: 'WH1', environment: 'sandbox' } as unknown as PhotoReceipt;
  expect(decodePhotoId(BOTH, encodePhotoId(SECRET, photo))).toEqual(photo);
  const image = { tenant_id: 'tnt_1', environment: 'sandbox' } as unknown as ImageReceipt;
  expect(decodeImageId(BOTH, encodeImageId(SECRET, image))).toEqual(image);
  const barcodes = summariseBarcodes(SECRET, [{ format: 'Code128', text: 'NUMBER12345' }], true);
  expect(namesAnyNumber(BOTH, barcodes, ['NUMBER12345'])).toBe(true);
});
