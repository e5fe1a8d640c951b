import { describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import fc from 'fast-check';
import { namesAnyNumber, summariseBarcodes } from './barcode-readings.ts';
import { documentUrl, type NamedDocument, readDocumentName } from './document-url.ts';
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
  photoTokensIn,
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
  expect([decodePhotoId(BOTH, photoId), decodeImageId(BOTH, imageId)]).toEqual([photoReceipt, imageReceipt]);
  const barcodes = summariseBarcodes(SECRET, [{ format: 'Code128', text: 'NUMBER12345' }], true);
  expect(namesAnyNumber(BOTH, barcodes, ['NUMBER12345'])).toBe(true);
});

const photoToken = (last: string) => `${'a'.repeat(21)}${last}`;
const photoUrl = (last: string, extension = 'jpg') => `https://x.example/photos/${photoToken(last)}.${extension}`;

test('finds photos of forecasts and of reports at any depth, each once', () => {
  const progress = {
    weighingPhotos: [{ id: 1, path: 'photo/1', url: photoUrl('1') }],
    exceptions: [{ photos: [{ id: 2, path: 'photo/2', url: photoUrl('2', 'png') }] }],
    attachedPhotos: [{ id: 1, path: 'photo/1', url: photoUrl('1') }],
  };
  const event = { detail: { photo: { id: 3, image_path: 'photo/3', image_url: photoUrl('3', 'webp') } } };
  expect(photoTokensIn({ progress, event })).toEqual([photoToken('1'), photoToken('2'), photoToken('3')]);
});

test('finds no photo in other texts', () => {
  expect(
    photoTokensIn({
      text: photoUrl('1'),
      photos: [
        { path: 'photo/1', url: photoUrl('1') },
        { id: 1, url: photoUrl('1') },
      ],
    }),
  ).toEqual([]);
  expect(photoTokensIn({ id: 1, path: 'photo/1', url: `${photoUrl('1')}/other` })).toEqual([]);
  expect(photoTokensIn({ id: 1, path: 'photo/1', url: 5 })).toEqual([]);
  expect(photoTokensIn(null)).toEqual([]);
});

const photo = {
  id: 41,
  image_path: 'photo/41',
  image_url: 'https://files.example/photos/x.jpg',
  file_size: 1234,
  upload_time: '2026-11-21T00:00:00.000+00:00',
  environment: 'sandbox',
} as const;
const photoReceipt: PhotoReceipt = { ...photo, warehouse_code: 'LAX1' };
const imageReceipt: ImageReceipt = { ...photo, tenant_id: 'tnt_1' };
const photoId = encodePhotoId(SECRET, photoReceipt);
const imageId = encodeImageId(SECRET, imageReceipt);

describe.each([
  ['a photo', photoId, photoReceipt, decodePhotoId],
  ['an image', imageId, imageReceipt, decodeImageId],
] as const)('the id of %s', (_what, id, receipt, decode) => {
  test('carries its receipt, for this installation alone', () => {
    expect([decode(SECRET, id), decode('another secret', id)]).toEqual([receipt, undefined]);
  });

  test('is refused after a change of any character', () => {
    const places = Array.from({ length: id.length }, (_, index) => index);
    expect(places.filter((index) => decode(SECRET, altered(id, index)) !== undefined)).toEqual([]);
  });
});

test.each(['', 'ph_', 'ph_.', '41', 'ph_e30', `x${'ph_e30.'}`, 'ph_e30.AAAAAAAAAAAAAAAAAAAAAA', 'ph_!!.AAAAAAAAAAAAAAAAAAAAAA'])(
  'the id of a photo is not %p',
  (text) => expect(decodePhotoId(SECRET, text)).toBeUndefined(),
);

test('the id of a photo is not a file URL’s signature in disguise', () => {
  const body = Buffer.from(JSON.stringify(photoReceipt)).toString('base64url');
  const signature = fileUrl(SECRET, 'https://a.test', { tenantId: body, environment: 'sandbox' }, newToken(16)).slice(-26, -4);
  expect(decodePhotoId(SECRET, `ph_${body}.${signature}`)).toBeUndefined();
});

test('a photo of a warehouse is no image of a merchant, and the other way round', () => {
  expect(decodeImageId(SECRET, photoId.replace('ph_', 'im_'))).toBeUndefined();
  expect(decodePhotoId(SECRET, imageId.replace('im_', 'ph_'))).toBeUndefined();
});

describe('the URL of a document', () => {
  const label: NamedDocument = { kind: 'label', tenantId: 'tnt_1', forecastNo: 'FC261121K7Q0Z4M2XT', version: 12 };

  const urlOf = (named: NamedDocument, secret = SECRET): string => documentUrl(secret, 'https://a.test', 'sandbox', named);

  const nameIn = (url: string): string => url.slice('https://a.test/files/'.length);

  const read = (url: string, secret = SECRET, environment: 'sandbox' | 'production' = 'sandbox') =>
    readDocumentName(secret, environment, nameIn(url));

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
    expect(readFileUrl(SECRET, { tenantId: 'tnt_1', environment: 'sandbox' }, urlOf(label))).toBeUndefined();
  });
});
