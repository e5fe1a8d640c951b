import Type, { type Static } from 'typebox';
import { Warning } from './forecast-api.ts';

/** Largest upload: 10 MB, 10 × 1024 × 1024 bytes. */
export const MAX_FILE_BYTES = 10_485_760;

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
        'What is unusual for a label or packing list: encrypted, no page, more than 20 pages, not readable; empty when nothing is',
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
