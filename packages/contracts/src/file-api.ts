import Type, { type Static } from 'typebox';
import { Warning } from './warnings.ts';

/** Largest upload: 10 MB, 10 × 1024 × 1024 bytes. */
export const MAX_FILE_BYTES = 10_485_760;

/** Query of a URL that opens a file. */
export const FileQuery = Type.Object(
  {
    copies: Type.Optional(
      Type.Literal('quantity', {
        description:
          "Of a product label: each item's page as often as its quantity, up to 10,000 pages; a label that would have more is 42201. Any other file ignores it",
      }),
    ),
  },
  { $id: 'FileQuery' },
);
export type FileQuery = Static<typeof FileQuery>;

/** A barcode that was read on a page of an uploaded PDF. */
export const FileBarcode = Type.Object(
  {
    page: Type.Integer({ description: 'Page that shows it, from 1' }),
    format: Type.String({
      description:
        'Symbology: Code128, Code39, Code93, Codabar, ITF, EAN13, EAN8, UPCA, UPCE, QRCode, DataMatrix, PDF417, Aztec, MaxiCode; there may be others',
    }),
    text: Type.String({ description: 'What it says, at most 300 characters; control characters, such as FNC1 of GS1, as a blank' }),
  },
  { $id: 'FileBarcode', title: 'Barcode of an uploaded file' },
);

/** `data` of a PDF upload. */
export const UploadedFile = Type.Object(
  {
    url: Type.String({ description: 'Opens directly; goes into shipping_label or shipping_note' }),
    attachment_id: Type.Integer({ description: 'Attachment record of the platform' }),
    origin_name: Type.String({ description: 'File name as uploaded' }),
    size_byte: Type.Integer({ description: 'Bytes' }),
    size_info: Type.String({ description: 'For people, such as 1.50 MB' }),
    deduplicated: Type.Boolean({ description: 'true when the tenant had uploaded an identical file before: the same MD5 and SHA-256' }),
    warnings: Type.Array(Warning, {
      description:
        'What is unusual for a label or packing list: encrypted, no page, more than 20 pages, a page of unusual size, pages of different sizes, not readable or slow to draw; empty when nothing is',
    }),
    barcodes: Type.Array(FileBarcode, {
      description:
        'Barcodes that were read on the first 4 pages, at most 10, each text once; empty when there is none that can be read in time',
    }),
  },
  { $id: 'UploadedFile', title: 'Uploaded file record' },
);
export type UploadedFile = Static<typeof UploadedFile>;

/** `data` of a photo upload by a warehouse. */
export const UploadedPhoto = Type.Object(
  {
    photo_id: Type.String({ description: 'Opaque; goes into photo_ids or photo_id of an event' }),
    image_url: Type.String({ description: 'Opens without a key; cannot be guessed' }),
    media_type: Type.String({ description: 'image/jpeg, image/png or image/webp' }),
    size_byte: Type.Integer({ description: 'Bytes' }),
  },
  { $id: 'UploadedPhoto' },
);
export type UploadedPhoto = Static<typeof UploadedPhoto>;
