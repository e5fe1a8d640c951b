import type { Caller } from '../caller.ts';
import type { Content, Upload } from '../content.ts';
import type { UploadedFile } from '../generated/file-api.ts';
import type { CallOptions } from '../options.ts';
import { parseUrl } from '../parse-url.ts';

const OPENABLE = /^\/(files|photos)\/([^/]+)$/;

/** Files of a tenant. */
export class Files {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Uploads a PDF of at most 10 MB; its `url` goes into a forecast. Identical content is stored once. */
  uploadPdf(file: Upload, options?: CallOptions): Promise<UploadedFile> {
    return this.#caller.call('uploadPdf', { body: file }, options);
  }

  /**
   * Opens a PDF or a photo.
   * @param url `url` of an upload, `marketplace_label` or `packing_slip` of a forecast, or `image_url` of an image, as the platform gave it; behind that of a
   * label may stand `?copies=quantity`
   */
  async open(url: string, options?: CallOptions): Promise<Content> {
    const { pathname, origin, searchParams } = parseUrl(url) ?? new URL('about:blank');
    const [, kind, name = ''] = OPENABLE.exec(pathname) ?? [];
    if (kind === undefined)
      throw new TypeError(`url must be the URL of a file or photo, unchanged from a response of the platform; ${url} is not`);
    const path = { name: decodeURIComponent(name) };
    const copies = searchParams.get('copies');
    return kind === 'files'
      ? this.#caller.call('openFile', { path, query: copies === null ? {} : { copies: copies as 'quantity' } }, options, origin)
      : this.#caller.call('openPhoto', { path }, options, origin);
  }
}
