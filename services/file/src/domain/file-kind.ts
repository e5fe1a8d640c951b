/** What a file was recognised as. */
export interface FileKind {
  readonly mediaType: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp';
  /** Without a dot; part of the URL. */
  readonly extension: 'pdf' | 'jpg' | 'png' | 'webp';
}

/**
 * Recognises a file by its name and its first bytes, or returns undefined when its type is not allowed.
 * @param head the first {@link HEAD_BYTES} bytes, or all of a shorter file
 */
export type Recognise = (name: string, head: Buffer) => FileKind | undefined;

/** So much of the beginning of a file is looked at. */
export const HEAD_BYTES = 1024;
/** So much of the end of a file is looked at. */
export const TAIL_BYTES = 1024;

const PDF: FileKind = { mediaType: 'application/pdf', extension: 'pdf' };

/** `%PDF-` behind at most a UTF-8 byte-order mark and white space. */
const PDF_START = /^(?:\u00ef\u00bb\u00bf)?[\t\n\f\r ]*%PDF-/;

/** The beginning of a PDF: extension `.pdf` in any case, and `%PDF-` before anything else that is visible. */
export const recognisePdf: Recognise = (name, head) =>
  /\.pdf$/i.test(name) && PDF_START.test(head.toString('latin1', 0, HEAD_BYTES)) ? PDF : undefined;

/**
 * True for the end of a PDF: `%%EOF` or `startxref` within the last {@link TAIL_BYTES} bytes.
 * @param tail the last bytes of a file
 */
export const endsAsPdf = (tail: Buffer): boolean => {
  const end = tail.subarray(-TAIL_BYTES);
  return end.includes('%%EOF') || end.includes('startxref');
};

/** The images that a photo may be, by signature. */
export const imageKinds: readonly FileKind[] = [
  { mediaType: 'image/jpeg', extension: 'jpg' },
  { mediaType: 'image/png', extension: 'png' },
  { mediaType: 'image/webp', extension: 'webp' },
];

const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A JPEG, PNG or WebP by the signature of its content; the name says nothing. */
export const recogniseImage: Recognise = (_name, head) => {
  if (head.subarray(0, 3).equals(JPEG_SIGNATURE)) return imageKinds[0];
  if (head.subarray(0, 8).equals(PNG_SIGNATURE)) return imageKinds[1];
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? imageKinds[2] : undefined;
};
