import { describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import fc from 'fast-check';
import { encodeFindings, type FileFindings } from './file-findings.ts';
import { type FileOwner, fileUrl, isFileUrlOf, readFileName, readFileUrl } from './file-receipt.ts';

const SECRET = 'a secret of the file service';
const BASE = 'https://files.example:8443';
const owner: FileOwner = { tenantId: 'tnt_1', environment: 'sandbox' };
const token = newToken(16);

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
    expect(isFileUrlOf(SECRET, owner, url)).toBe(true);
    expect(readFileName(SECRET, url.slice(url.lastIndexOf('/') + 1))?.tokens).toEqual([token]);
  });

  test('is another than without, and both are valid', () => {
    const plain = fileUrl(SECRET, BASE, owner, token);
    expect(readFileUrl(SECRET, owner, plain)).toEqual({ findings: undefined });
    expect(readFileName(SECRET, plain.slice(plain.lastIndexOf('/') + 1))?.tokens).toEqual([token]);
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
