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

/** A file as a form with the field `file`; those of its options before it. */
export async function encodeUpload({
  name,
  content,
  mapping,
  validateOnly,
  urlExpiresIn,
}: Upload & ImportUpload & PdfUpload): Promise<EncodedBody> {
  if (!(content instanceof Uint8Array)) throw new TypeError('content must be bytes: a Buffer or another Uint8Array');
  const form = new FormData();
  if (mapping !== undefined) form.set('mapping', JSON.stringify(mapping));
  if (validateOnly !== undefined) form.set('validate_only', String(validateOnly));
  if (urlExpiresIn !== undefined) form.set('url_expires_in', String(urlExpiresIn));
  form.set('file', new Blob([Buffer.from(content)]), name);
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', bytes: new Uint8Array(await encoded.arrayBuffer()) };
}

/** A value as a JSON body. */
export function encodeJson(value: unknown): EncodedBody {
  return { contentType: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(value)) };
}
