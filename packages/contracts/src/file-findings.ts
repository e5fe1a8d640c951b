import { type BarcodeSummary, MAX_READINGS } from './barcode-readings.ts';

/** A page whose size is unusual, in millimetres. */
export interface PageFinding {
  /** From 1. */
  readonly page: number;
  readonly width: number;
  readonly height: number;
}

/** What the file service found in a PDF, as the URL of the file passes it to other services. */
export interface FileFindings {
  /** False when the PDF was too complex to be read; then nothing else is known. */
  readonly isReadable: boolean;
  readonly isEncrypted: boolean;
  /** True when its pages were not drawn in time. */
  readonly isSlow: boolean;
  readonly pages: number;
  /** The first page that neither label printers nor office printers print without scaling. */
  readonly unusual?: PageFinding | undefined;
  /** The first page whose size differs from that of page 1. */
  readonly differing?: PageFinding | undefined;
  readonly barcodes: BarcodeSummary;
}

const VERSION = 1;
const READABLE = 1;
const ENCRYPTED = 2;
const SLOW = 4;
const UNUSUAL = 8;
const DIFFERING = 16;
const HAS_NUMBER = 32;
const ALL = 63;
const MAX_U16 = 0xffff;

const HEAD_BYTES = 4;
const PAGE_BYTES = 6;
const READING_BYTES = 4;

/** Most characters of {@link encodeFindings}. */
export const MAX_ENCODED_FINDINGS = Math.ceil(((HEAD_BYTES + 2 * PAGE_BYTES + MAX_READINGS * READING_BYTES) * 8) / 6);

/**
 * Findings as base64url, at most {@link MAX_ENCODED_FINDINGS} characters: a byte of version, one of flags, two of pages; six of each
 * unusual page; four of each reading. Numbers are cut to 65,535.
 */
export function encodeFindings(findings: FileFindings): string {
  const u16 = (...values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(2 * values.length);
    for (const [index, value] of values.entries()) bytes.writeUInt16BE(Math.min(value, MAX_U16), 2 * index);
    return bytes;
  };
  const { unusual, differing, barcodes } = findings;
  const flags =
    (findings.isReadable ? READABLE : 0) |
    (findings.isEncrypted ? ENCRYPTED : 0) |
    (findings.isSlow ? SLOW : 0) |
    (unusual ? UNUSUAL : 0) |
    (differing ? DIFFERING : 0) |
    (barcodes.hasNumber ? HAS_NUMBER : 0);
  return Buffer.concat([
    Buffer.from([VERSION, flags]),
    u16(findings.pages),
    ...[unusual, differing].flatMap((page) => (page ? [u16(page.page, page.width, page.height)] : [])),
    ...barcodes.readings.slice(0, MAX_READINGS).map((reading) => Buffer.from(reading, 'hex')),
  ]).toString('base64url');
}

/** The findings in a text of {@link encodeFindings}; undefined for another version, whose findings are nothing to this one. */
export function decodeFindings(text: string): FileFindings | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const flags = bytes[1] ?? 0;
  const pageBytes = PAGE_BYTES * ((flags & UNUSUAL ? 1 : 0) + (flags & DIFFERING ? 1 : 0));
  const readingBytes = bytes.length - HEAD_BYTES - pageBytes;
  if (bytes[0] !== VERSION || flags > ALL || readingBytes < 0 || readingBytes % READING_BYTES !== 0) return undefined;
  let place = HEAD_BYTES;
  const page = (flag: number): PageFinding | undefined => {
    if ((flags & flag) === 0) return undefined;
    place += PAGE_BYTES;
    const at = (back: number): number => bytes.readUInt16BE(place - back);
    return { page: at(6), width: at(4), height: at(2) };
  };
  const [unusual, differing] = [page(UNUSUAL), page(DIFFERING)];
  const readings = bytes.subarray(place).toString('hex').match(/.{8}/g) ?? [];
  return {
    isReadable: (flags & READABLE) !== 0,
    isEncrypted: (flags & ENCRYPTED) !== 0,
    isSlow: (flags & SLOW) !== 0,
    pages: bytes.readUInt16BE(2),
    ...(unusual && { unusual }),
    ...(differing && { differing }),
    barcodes: { hasNumber: (flags & HAS_NUMBER) !== 0, readings },
  };
}
