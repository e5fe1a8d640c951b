import Type, { type Static } from 'typebox';
import { object, titled } from './object.ts';
import { instant, nullable } from './text.ts';
import { Warning } from './warnings.ts';

/** Largest upload: 10 MB, 10 × 1024 × 1024 bytes. */
export const MAX_FILE_BYTES = 10_485_760;

/** Query of a URL that opens a file. */
export const FileQuery = object('FileQuery', {
  copies: Type.Optional(
    Type.Literal('quantity', {
      description:
        'For a product label: repeats the page of each item as often as its quantity, up to 10,000 pages; more pages fail with 42201. Ignored for any other file',
    }),
  ),
});

/** A barcode that was read on a page of an uploaded PDF. */
export const FileBarcode = titled('FileBarcode', 'Barcode of an uploaded file', {
  page: Type.Integer({ description: 'Page with the barcode, from 1' }),
  format: Type.String({
    description:
      'Symbology: Code128, Code39, Code93, Codabar, ITF, EAN13, EAN8, UPCA, UPCE, QRCode, DataMatrix, PDF417, Aztec, MaxiCode; there may be others',
  }),
  text: Type.String({ description: 'Its content, at most 300 characters; a control character, such as FNC1 of GS1, becomes a blank' }),
});

/** What every response says of an uploaded PDF. */
export const fileRecord = {
  url: Type.String({ description: 'Opens without a key; use it as shipping_label or shipping_note' }),
  attachment_id: Type.Integer({ description: 'Attachment record of the platform' }),
  origin_name: Type.String({ description: 'File name as uploaded' }),
  size_byte: Type.Integer({ description: 'Bytes' }),
  size_info: Type.String({ description: 'For people, such as 1.50 MB' }),
};

/** Barcodes of an uploaded PDF. */
export const fileBarcodes = Type.Array(FileBarcode, {
  description:
    'Barcodes that were read on the first 4 pages, at most 10, each text once; empty when there is none that can be read in time',
});

/** `data` of a PDF upload. */
export const UploadedFile = titled('UploadedFile', 'Uploaded file record', {
  ...fileRecord,
  url_expire_time: nullable(instant('When `url` ends, if the upload had `url_expires_in`; null when it never does')),
  deduplicated: Type.Boolean({ description: 'true when the tenant had uploaded an identical file before: the same MD5 and SHA-256' }),
  warnings: Type.Array(Warning, {
    description:
      'What is unusual for a label or packing list: encrypted, no page, more than 20 pages, a page of unusual size, pages of different sizes, not readable or slow to draw; empty when nothing is',
  }),
  barcodes: fileBarcodes,
});
export type UploadedFile = Static<typeof UploadedFile>;

/** `data` of a photo upload by a warehouse. */
export const UploadedPhoto = object('UploadedPhoto', {
  photo_id: Type.String({ description: 'Opaque; use it in photo_ids or photo_id of an event' }),
  image_url: Type.String({ description: 'Opens without a key; cannot be guessed' }),
  media_type: Type.String({ description: 'image/jpeg, image/png or image/webp' }),
  size_byte: Type.Integer({ description: 'Bytes' }),
});
export type UploadedPhoto = Static<typeof UploadedPhoto>;

/** `data` of an upload of a merchant's own image. */
export const UploadedImage = object('UploadedImage', {
  image_id: Type.String({ description: 'Opaque; puts the image on a forecast within 30 days' }),
  image_url: Type.String({ description: 'Opens without a key; cannot be guessed' }),
  media_type: Type.String({ description: 'image/jpeg, image/png or image/webp' }),
  size_byte: Type.Integer({ description: 'Bytes' }),
});
export type UploadedImage = Static<typeof UploadedImage>;
