import type { FieldError } from '@parcelway/kernel/app-error';

/** What a file was recognised as. */
export interface FileKind {
  readonly mediaType: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp';
  /** Without a dot; part of the URL. */
  readonly extension: 'pdf' | 'jpg' | 'png' | 'webp';
}

/**
 * Recognises a file by its name and its first bytes, or returns why its type is not allowed.
 * @param head the first {@link HEAD_BYTES} bytes, or all of a shorter file
 */
export type Recognise = (name: string, head: Buffer) => FileKind | FileFaults;

/** Why the type of a file is not allowed, at least one; for `data.errors` of 42205. */
export type FileFaults = readonly FieldError[];

/** One reason why the type of a file is not allowed. */
const fault = (rule: string, sentence: string): FieldError => ({ field: 'file', rule, message: `file ${sentence}` });

const EMPTY = fault('empty', 'must not be empty');
const EXTENSION = fault('extension', 'must have a name that ends in .pdf');
const BEGINNING = fault('beginning', 'must begin with %PDF-, after at most a byte-order mark and white space');
const END = fault('end', 'must have %%EOF or startxref within its last 1,024 bytes');
const IMAGE = fault('image', 'must be a JPEG, PNG or WebP image');

/** True when {@link Recognise} gives the reasons against a file. */
export const isRefused = (recognised: FileKind | FileFaults): recognised is FileFaults => Array.isArray(recognised);

/** So much of the beginning of a file is looked at. */
export const HEAD_BYTES = 1024;
/** So much of the end of a file is looked at. */
export const TAIL_BYTES = 1024;

const PDF: FileKind = { mediaType: 'application/pdf', extension: 'pdf' };

/** `%PDF-` behind at most a UTF-8 byte-order mark and white space. */
const PDF_START = /^(?:\u00ef\u00bb\u00bf)?[\t\n\f\r ]*%PDF-/;

/** The beginning of a PDF: extension `.pdf` in any case, and `%PDF-` before anything else that is visible. */
export const recognisePdf: Recognise = (name, head) => {
  const faults = /\.pdf$/i.test(name) ? [] : [EXTENSION];
  if (head.length === 0) faults.push(EMPTY);
  else if (!PDF_START.test(head.toString('latin1', 0, HEAD_BYTES))) faults.push(BEGINNING);
  return faults.length === 0 ? PDF : faults;
};

/**
 * What is wrong with the end of a PDF, which has `%%EOF` or `startxref` within the last {@link TAIL_BYTES} bytes; none when nothing is.
 * @param tail the last bytes of a file
 */
export const pdfEndFaults = (tail: Buffer): FileFaults => {
  const end = tail.subarray(-TAIL_BYTES);
  return end.includes('%%EOF') || end.includes('startxref') ? [] : [END];
};

const JPEG: FileKind = { mediaType: 'image/jpeg', extension: 'jpg' };
const PNG: FileKind = { mediaType: 'image/png', extension: 'png' };
const WEBP: FileKind = { mediaType: 'image/webp', extension: 'webp' };

export const imageKinds: readonly FileKind[] = [JPEG, PNG, WEBP];

const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A JPEG, PNG or WebP by the signature of its content; the name says nothing. */
export const recogniseImage: Recognise = (_name, head) => {
  if (head.subarray(0, 3).equals(JPEG_SIGNATURE)) return JPEG;
  if (head.subarray(0, 8).equals(PNG_SIGNATURE)) return PNG;
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? WEBP : [head.length === 0 ? EMPTY : IMAGE];
};
