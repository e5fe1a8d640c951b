import { FileQuery, UploadedFile, UploadedImage } from './file-api.ts';
import { FileDeletion, FileList, FileListQuery, FileUrl, FileUrlRequest, OwnFile } from './own-files-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';

const route = routesWith({ service: 'file', scopes: ['files:write'], tag: 'Files' });

/** Uploads of merchants, and what opens by its URL. */
export const fileRoutes: readonly RouteDefinition[] = [
  route({
    id: 'uploadPdf',
    method: 'POST',
    path: '/open/v1/files/pdf',
    rateClass: 'upload',
    summary: 'Upload a PDF',
    description:
      'The file name must end in `.pdf`, in any case, and the content must be a PDF. At most 10 MB (10,485,760 bytes). Identical content is stored once per tenant. The field `url_expires_in` makes the returned URL expire; a forecast that names it keeps its file all the same.',
    body: 'multipart',
    data: UploadedFile,
    repeat: 'The same content returns the same file.',
    idempotencyKey: true,
    errors: ['42201'],
  }),
  route({
    id: 'uploadImage',
    method: 'POST',
    path: '/open/v1/files/image',
    rateClass: 'upload',
    summary: 'Upload an image',
    description:
      'JPEG, PNG or WebP of at most 10 MB (10,485,760 bytes), by its content. Put it on a forecast within 30 days; an image that is on no forecast is deleted after that.',
    body: 'multipart',
    data: UploadedImage,
    repeat: 'Makes another image.',
    idempotencyKey: true,
  }),
  route({
    id: 'listFiles',
    path: '/open/v1/files',
    summary: 'List uploaded PDFs',
    description: 'Newest first, in pages, each with the forecasts that name it. Filters combine.',
    query: FileListQuery,
    data: FileList,
  }),
  route({
    id: 'getFile',
    path: '/open/v1/files/{attachment_id}',
    summary: 'Read an uploaded PDF',
    data: OwnFile,
  }),
  route({
    id: 'deleteFile',
    method: 'DELETE',
    path: '/open/v1/files/{attachment_id}',
    summary: 'Delete an uploaded PDF',
    description:
      'Only a file that no forecast names: otherwise 40902 lists the forecasts in `used_by`. It opens no more at once, and its content is deleted after 24 hours. Until then a forecast that names one of its URLs brings it back.',
    data: FileDeletion,
    repeat: 'Returns the same for 24 hours, then 40403.',
    errors: ['40902'],
  }),
  route({
    id: 'createFileUrl',
    method: 'POST',
    path: '/open/v1/files/{attachment_id}/url',
    summary: 'Make a URL of an uploaded PDF',
    description: 'Forecasts take it like the URL of the upload. Earlier URLs stay as they are.',
    body: FileUrlRequest,
    bodyOptional: true,
    data: FileUrl,
    repeat: 'Makes another URL of the same file.',
  }),
  route({
    id: 'openFile',
    path: '/files/{name}',
    access: 'public',
    scopes: [],
    summary: 'Open an uploaded PDF, a product label or a packing slip',
    description:
      'The `url` of an upload, or the `marketplace_label` or `packing_slip` of a forecast; needs no key and cannot be guessed. A request with the header `Range` gets that part of the file.',
    query: FileQuery,
    data: 'binary',
  }),
  route({
    id: 'openPhoto',
    path: '/photos/{name}',
    access: 'public',
    scopes: [],
    summary: 'Open a photo',
    description:
      'The image_url of a weighing or forecast image; needs no key and cannot be guessed. A request with the header `Range` gets that part of the file.',
    data: 'binary',
  }),
];
