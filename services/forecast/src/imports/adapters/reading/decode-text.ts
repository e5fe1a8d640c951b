import { isUtf8 } from 'node:buffer';
import { AppError } from '@parcelway/kernel/app-error';

/** A file as text. */
export interface DecodedText {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * The text of a CSV file: UTF-8, UTF-16 with its mark, or else GB18030, as spreadsheet programs in Chinese write it.
 * @throws AppError 42205 when it is no text
 */
export function decodeText(content: Uint8Array): DecodedText {
  const isUtf16 = (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);
  const encoding = isUtf16 ? (content[0] === 0xff ? 'utf-16le' : 'utf-16be') : isUtf8(content) ? 'utf-8' : 'gb18030';
  const text = new TextDecoder(encoding).decode(content);
  if (text.includes('\0')) throw new AppError('42205', 'The file is no text: save it as CSV, or upload a spreadsheet as .xlsx');
  const warnings =
    encoding === 'gb18030' ? ['The file is not UTF-8; it was read as GB18030. Check the characters, or save it as CSV UTF-8'] : [];
  return { text, warnings };
}
