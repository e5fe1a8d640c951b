import { randomUUID } from 'node:crypto';
import type { ImportUpload, PdfUpload, Upload } from './content.ts';

/** A body with its media type. */
export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A value as the platform reads it in a query: lists with commas. */
const inQuery = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** A path with its parameters in place, and the query; values that are undefined are left out. */
export function encodePath(path: string, parameters: Readonly<Record<string, string>> = {}, query: object = {}): string {
  const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_match, name: string) => {
    const value = parameters[name];
    // An empty segment would lead to another route.
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a string that is not empty`);
    return encodeURIComponent(value);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, inQuery(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** A file name in a header of a form (HTML standard, multipart/form-data): what would end the header is escaped. */
const inForm = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const inPart = (boundary: string, disposition: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;

/** A file as a form with the field `file`; those of its options before it. */
export function encodeUpload({ name, content, mapping, validateOnly, urlExpiresIn }: Upload & ImportUpload & PdfUpload): EncodedBody {
  if (!(content instanceof Uint8Array)) throw new TypeError('content must be bytes: a Buffer or another Uint8Array');
  const boundary = `parcelway-${randomUUID()}`;
  const texts = {
    mapping: mapping && JSON.stringify(mapping),
    validate_only: validateOnly?.toString(),
    url_expires_in: urlExpiresIn?.toString(),
  };
  const fields = Object.entries(texts).map(([field, value]) =>
    value === undefined ? '' : `${inPart(boundary, `name="${field}"`)}\r\n${value}\r\n`,
  );
  const file = inPart(boundary, `name="file"; filename="${inForm(name)}"`);
  const head = `${fields.join('')}${file}Content-Type: application/octet-stream\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** A value as a JSON body. */
export function encodeJson(value: unknown): EncodedBody {
  return { contentType: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(value)) };
}
