import { describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import type { FileFindings } from './file-findings.ts';
import { type FileOwner, fileTokenIn, fileTokenOf, fileUrl, lastingFileUrl, readFileName, readFileUrl } from './file-receipt.ts';

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
    expect(readFileName(SECRET, nameIn(url))).toEqual({ token, expiresAt });
    expect(readFileName(SECRET, nameIn(lasting))).toEqual({ token, expiresAt: undefined });
    expect([fileTokenIn(SECRET, url), fileTokenIn(SECRET, lasting)]).toEqual([token, token]);
  });

  test('does not show the token, which opens the file for ever', () => {
    expect(url).not.toContain(token);
    expect(fileTokenOf(url)).toBeUndefined();
    expect(fileTokenIn(SECRET, url.replace(/~[0-9a-z]+/, ''))).not.toBe(token);
  });

  test('leads to no file, and is no receipt, with another expiry', () => {
    const later = url.replace(/~[0-9a-z]+/, '~zzzzzz');
    expect(readFileName(SECRET, nameIn(later))?.token).not.toBe(token);
    expect(readFileUrl(SECRET, owner, later)).toBeUndefined();
    expect(readFileName('another secret', nameIn(url))?.token).not.toBe(token);
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
