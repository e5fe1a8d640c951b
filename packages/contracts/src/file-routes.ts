import { FileQuery, UploadedFile } from './file-api.ts';
import type { RouteDefinition } from './route.ts';

/** Uploads of merchants, and what opens by its URL. */
export const fileRoutes: readonly RouteDefinition[] = [
  {
    id: 'uploadPdf',
    method: 'POST',
    path: '/open/v1/files/pdf',
    service: 'file',
    access: 'tenant',
    scopes: ['files:write'],
    rateClass: 'upload',
    tag: 'Files',
    summary: 'Upload a PDF',
    description:
      'The file name must end in `.pdf`, in any case, and the content must be a PDF. At most 10 MB (10,485,760 bytes). Identical content is stored once per tenant.',
    body: 'multipart',
    data: UploadedFile,
    success: 200,
    repeat: 'The same content returns the same file.',
    idempotencyKey: true,
    errors: ['41501', '42204', '42205', '42206', '42207'],
  },
  {
    id: 'openFile',
    method: 'GET',
    path: '/files/{name}',
    service: 'file',
    access: 'public',
    scopes: [],
    rateClass: 'standard',
    tag: 'Files',
    summary: 'Open an uploaded PDF, a product label or a packing slip',
    description:
      'The `url` of an upload, or the `marketplace_label` or `packing_slip` of a forecast; needs no key and cannot be guessed. A request with the header `Range` gets that part of the file.',
    query: FileQuery,
    data: 'binary',
    success: 200,
    errors: ['40403', '42201'],
  },
  {
    id: 'openPhoto',
    method: 'GET',
    path: '/photos/{name}',
    service: 'file',
    access: 'public',
    scopes: [],
    rateClass: 'standard',
    tag: 'Files',
    summary: 'Open a photo',
    description:
      'The image_url of a weighing or forecast image; needs no key and cannot be guessed. A request with the header `Range` gets that part of the file.',
    data: 'binary',
    success: 200,
    errors: ['40403'],
  },
];
