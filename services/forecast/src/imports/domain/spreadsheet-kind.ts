import { AppError } from '@parcelway/kernel/app-error';

const MAX_NAME_CHARACTERS = 255;
const CONTROL = /\p{Cc}/gu;
/** Beginning of a ZIP file. */
const ZIP = [0x50, 0x4b];
/** Beginning of old spreadsheets, and of those with a password. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

/** A name as it is shown: without control characters, and cut. */
export function cleanSpreadsheetName(uploaded: string): string {
  return Array.from(uploaded.replace(CONTROL, '')).slice(-MAX_NAME_CHARACTERS).join('');
}

const refused = (rule: string, message: string): AppError =>
  new AppError('42205', message, { data: { errors: [{ field: 'file', rule, message }] } });

const beginsWith = (head: Uint8Array, bytes: readonly number[]): boolean => bytes.every((byte, place) => head[place] === byte);

/**
 * What kind of spreadsheet a file is, by its name and, once it is known, its beginning.
 * @throws AppError 42205 when it is none
 */
export function kindOfFile(name: string, head?: Uint8Array): 'csv' | 'xlsx' {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === 'xls') throw refused('extension', 'file is an old .xls spreadsheet: save it as .xlsx or .csv');
  if (extension !== 'csv' && extension !== 'xlsx') throw refused('extension', 'file must have a name that ends in .csv or .xlsx');
  if (head === undefined) return extension;
  if (beginsWith(head, OLE)) throw refused('content', 'file is an old spreadsheet or has a password: save it as .xlsx without a password');
  if (extension === 'xlsx' && !beginsWith(head, ZIP))
    throw refused('content', 'file is no .xlsx spreadsheet: save it as .xlsx, or name it .csv if it is text');
  if (extension === 'csv' && beginsWith(head, ZIP)) throw refused('content', 'file is no text: name it .xlsx if it is a spreadsheet');
  return extension;
}
