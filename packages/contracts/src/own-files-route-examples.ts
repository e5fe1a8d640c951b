import { EXAMPLE_BASE_URL, exampleParcel, examplePhoto } from './example-parcel.ts';
import type { UploadedImage } from './file-api.ts';
import type { FileDeletion, FileList, FileUrl, ForecastImageAddition, ForecastImageRemoval, OwnFile } from './own-files-api.ts';
import type { RouteExample } from './route-example.ts';
import type { ForecastImage } from './weighing-api.ts';

const { poNumber, forecastNo, forecastId } = exampleParcel;
const attachmentId = 1203342771;
const imageUrl = `${EXAMPLE_BASE_URL}/photos/pXnBg8Jq2mWcR5tYv1LkZ0.jpg`;
const imageId = 'im_eyJpZCI6NTMwMX0.Q2iT6wMzAf3Hs9aUeD7oKx';

const file: OwnFile = {
  url: `${EXAMPLE_BASE_URL}/files/Qm3vT8sLx0yWnB5kRz1dHg-a7Xk2pVcJ9eUoF4tN6iMwQ.pdf`,
  attachment_id: attachmentId,
  origin_name: 'label-PO-2025-1121-001.pdf',
  size_byte: 1572864,
  size_info: '1.50 MB',
  create_time: '2025-11-21T07:58:12.004+00:00',
  warnings: [],
  barcodes: [{ page: 1, format: 'Code128', text: 'SF123456789012' }],
  used_by: [{ po_number: poNumber, forecast_no: forecastNo, fields: ['shipping_label'] }],
  used_by_count: 1,
};
const list: FileList = { files: [file], next_cursor: null };
const deletion: FileDeletion = { attachment_id: attachmentId, deleted: true };
const url: FileUrl = {
  attachment_id: attachmentId,
  url: `${EXAMPLE_BASE_URL}/files/N6iMwQa7Xk2pVcJ9eUoF4t~t8p0ao-yWnB5kRz1dHgQm3vT8sLx0.pdf`,
  expire_time: '2025-12-21T08:00:00.000+00:00',
};
const uploadedImage: UploadedImage = {
  image_id: imageId,
  image_url: imageUrl,
  media_type: 'image/jpeg',
  size_byte: examplePhoto.file_size,
};
const addition: ForecastImageAddition = { image_id: imageId, image_type: 'product', image_order: 1 };
const image: ForecastImage = {
  id: 1771203342,
  forecast_id: forecastId,
  image_type: 'product',
  image_url: imageUrl,
  image_order: 1,
  upload_source: 'tenant',
};
const removal: ForecastImageRemoval = { po_number: poNumber, id: image.id, removed: true };

/** Route id → example, of the routes of a merchant's own files and images. */
export const ownFileRouteExamples: Readonly<Record<string, RouteExample>> = {
  uploadImage: { requests: {}, data: uploadedImage },
  listFiles: { requests: {}, data: list },
  getFile: { requests: {}, data: file },
  deleteFile: { requests: {}, data: deletion },
  createFileUrl: { requests: { thirtyDays: { expires_in: 2_592_000 } }, data: url },
  addForecastImage: { requests: { product: addition }, needs: { product: 'Upload an image before, and put its image_id in' }, data: image },
  removeForecastImage: { requests: {}, data: removal },
};

/** Parameter of a path or query → example. */
export const ownFileParameterExamples: Readonly<Record<string, number>> = { attachment_id: attachmentId, image_number: image.id };
