import { describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import { namesAnyNumber, summariseBarcodes } from './barcode-readings.ts';
import type { FileFindings } from './file-findings.ts';
import {
  decodePhotoId,
  encodePhotoId,
  type FileOwner,
  fileTokenOf,
  fileTokensIn,
  fileUrl,
  lastingFileUrl,
  type PhotoReceipt,
  readFileName,
  readFileUrl,
} from './file-receipt.ts';
import { decodeImageId, encodeImageId, type ImageReceipt } from './image-receipt.ts';

const SECRET = 'a secret of the file service';
const BASE = 'https://files.example:8443';
const owner: FileOwner = { tenantId: 'tnt_1', environment: 'sandbox' };
const token = newToken(16);
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
