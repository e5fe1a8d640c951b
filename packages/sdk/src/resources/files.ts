import type { Content, PdfUpload, Upload } from '../content.ts';
import type { FileListQuery, FileUrlRequest } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { parseUrl } from '../parse-url.ts';
import { Resource } from '../resource.ts';

const OPENABLE = /^\/(files|photos)\/([^/]+)$/;

/** Files of a tenant. */
export class Files extends Resource {
  /** Uploads a PDF of at most 10 MB; its `url` goes into a forecast. Identical content is stored once. */
  uploadPdf(file: PdfUpload, options?: CallOptions) {
    return this.caller.call('uploadPdf', { body: file }, options);
  }

  /** Uploads a JPEG, PNG or WebP of at most 10 MB; its `image_id` goes into `forecasts.addImage` within 30 days. */
  uploadImage(image: Upload, options?: CallOptions) {
    return this.caller.call('uploadImage', { body: image }, options);
  }

  /** Uploaded PDFs with the forecasts that name them, newest first: `for await (const file of parcelway.files.list({ used: false }))`. */
  list(query: FileListQuery = {}, options?: CallOptions) {
    return this.pages('listFiles', { query }, (page) => page.files, options);
  }

  /** An uploaded PDF. Rejects with 40403 when there is none. */
  get(attachmentId: number, options?: CallOptions) {
    return this.caller.call('getFile', { path: { attachment_id: String(attachmentId) } }, options);
  }

  /** Deletes a PDF that no forecast names. Rejects with 40902 when one does: `data.used_by` lists them. */
  delete(attachmentId: number, options?: CallOptions) {
    return this.caller.call('deleteFile', { path: { attachment_id: String(attachmentId) } }, options);
  }

  /** Another URL of an uploaded PDF, which expires after `expires_in` seconds if given. */
  url(attachmentId: number, request: FileUrlRequest = {}, options?: CallOptions) {
    return this.caller.call('createFileUrl', { path: { attachment_id: String(attachmentId) }, body: request }, options);
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
      ? this.caller.call('openFile', { path, query: copies === null ? {} : { copies: copies as 'quantity' } }, options, origin)
      : this.caller.call('openPhoto', { path }, options, origin);
  }
}
