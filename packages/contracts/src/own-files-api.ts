import Type, { type Static } from 'typebox';
import { fileBarcodes, fileRecord } from './file-api.ts';
import { object } from './object.ts';
import { pageOf } from './page.ts';
import { imageTypes } from './parcel-reports.ts';
import { booleanInQuery, instant, nullable, oneOf, pageQuery } from './text.ts';
import { imageOrder } from './warehouse-api.ts';
import { Warning } from './warnings.ts';

/** Forecasts that a response names of a file. */
export const MAX_SHOWN_USES = 20;

/** Forecasts of a file are counted up to here: a file may be on any number of them. */
export const MAX_COUNTED_USES = 1000;

/** Least and most seconds for which a URL of a file may be valid: an hour and a year. */
export const MIN_URL_SECONDS = 3600;
export const MAX_URL_SECONDS = 31_536_000;

/** A forecast that names a file. */
export const FileUse = object('FileUse', {
  po_number: nullable(Type.String({ description: 'null for a forecast that was accepted before uses were recorded in this detail' })),
  forecast_no: Type.String(),
  fields: Type.Array(Type.String(), {
    description: 'Fields that name the file: shipping_label, shipping_note; empty where `po_number` is null',
  }),
});

const uses = {
  used_by: Type.Array(FileUse, {
    description: `Forecasts that name the file now, the newest first, at most ${MAX_SHOWN_USES}. Cancelled and deleted forecasts do not count. A new forecast is here within seconds`,
  }),
  used_by_count: Type.Integer({ description: `How many they are, counted up to ${MAX_COUNTED_USES}` }),
};

const record = {
  ...fileRecord,
  create_time: instant('When it was uploaded'),
  warnings: Type.Array(Warning, { description: 'As at its upload' }),
  barcodes: fileBarcodes,
  ...uses,
};

/** A file in the list. */
export const OwnFile = Type.Object(record, { $id: 'OwnFile', title: 'Uploaded file with its uses' });
export type OwnFile = Static<typeof OwnFile>;

/** Query of the list. */
export const FileListQuery = object('FileListQuery', {
  used: booleanInQuery('true: only files that a forecast names; false: only the others'),
  created_from: Type.Optional(instant('Uploaded at or after this instant')),
  created_to: Type.Optional(instant('Uploaded before this instant')),
  ...pageQuery(20),
});
export type FileListQuery = Static<typeof FileListQuery>;

/** A page of files, newest first. */
export const FileList = pageOf('FileList', 'files', OwnFile);
export type FileList = Static<typeof FileList>;

/** `data` of a deletion. */
export const FileDeletion = object('FileDeletion', { attachment_id: Type.Integer(), deleted: Type.Literal(true) });
export type FileDeletion = Static<typeof FileDeletion>;

/** Body that asks for a URL of a file. */
export const FileUrlRequest = object('FileUrlRequest', {
  expires_in: Type.Optional(
    Type.Integer({
      minimum: MIN_URL_SECONDS,
      maximum: MAX_URL_SECONDS,
      description: 'Seconds for which the URL opens the file, an hour to a year. Without it the URL never expires',
    }),
  ),
});

/** `data`: a URL of a file. */
export const FileUrl = object('FileUrl', {
  attachment_id: Type.Integer(),
  url: Type.String({ description: 'Opens without a key; use it as shipping_label or shipping_note' }),
  expire_time: nullable(instant('When it ends; null when it never does')),
});
export type FileUrl = Static<typeof FileUrl>;

/** Body that puts an image on a forecast. */
export const ForecastImageAddition = object('ForecastImageAddition', {
  image_id: Type.String({ minLength: 1, maxLength: 2048, description: '`image_id` of an upload' }),
  image_type: oneOf(imageTypes, 'What the image shows'),
  image_order: Type.Optional(imageOrder),
});
export type ForecastImageAddition = Static<typeof ForecastImageAddition>;

/** `data`: an image was taken from a forecast. */
export const ForecastImageRemoval = object('ForecastImageRemoval', {
  po_number: Type.String(),
  id: Type.Integer({ description: '`id` of the image' }),
  removed: Type.Literal(true),
});
export type ForecastImageRemoval = Static<typeof ForecastImageRemoval>;
