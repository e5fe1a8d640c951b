// Made from the contract by `npm run docs`; do not edit.
import type { FileQuery, UploadedFile, UploadedImage } from './file-api.ts';
import type { FileDeletion, FileList, FileListQuery, FileUrl, FileUrlRequest, OwnFile } from './own-files-api.ts';
import type { Content, Upload } from '../content.ts';

/** What each route of "Files" takes and gives. */
export interface FilesRoutes {
  /** Upload a PDF: `POST /open/v1/files/pdf` */
  readonly uploadPdf: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: Upload;
    readonly data: UploadedFile;
  };
  /** Upload an image: `POST /open/v1/files/image` */
  readonly uploadImage: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: Upload;
    readonly data: UploadedImage;
  };
  /** List uploaded PDFs: `GET /open/v1/files` */
  readonly listFiles: {
    readonly path: undefined;
    readonly query: FileListQuery;
    readonly body: undefined;
    readonly data: FileList;
  };
  /** Read an uploaded PDF: `GET /open/v1/files/{attachment_id}` */
  readonly getFile: {
    readonly path: { readonly attachment_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: OwnFile;
  };
  /** Delete an uploaded PDF: `DELETE /open/v1/files/{attachment_id}` */
  readonly deleteFile: {
    readonly path: { readonly attachment_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: FileDeletion;
  };
  /** Make a URL of an uploaded PDF: `POST /open/v1/files/{attachment_id}/url` */
  readonly createFileUrl: {
    readonly path: { readonly attachment_id: string };
    readonly query: undefined;
    readonly body: FileUrlRequest | undefined;
    readonly data: FileUrl;
  };
  /** Open an uploaded PDF, a product label or a packing slip: `GET /files/{name}` */
  readonly openFile: {
    readonly path: { readonly name: string };
    readonly query: FileQuery;
    readonly body: undefined;
    readonly data: Content;
  };
  /** Open a photo: `GET /photos/{name}` */
  readonly openPhoto: {
    readonly path: { readonly name: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: Content;
  };
}
