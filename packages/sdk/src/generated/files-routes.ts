// Made from the contract by `npm run docs`; do not edit.
import type { FileQuery, UploadedFile } from './file-api.ts';
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
