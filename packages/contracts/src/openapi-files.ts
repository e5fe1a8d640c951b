import type { JsonObject } from './openapi-schemas.ts';
import { MAX_URL_SECONDS, MIN_URL_SECONDS } from './own-files-api.ts';
import type { RouteDefinition } from './route.ts';

const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Media types of what goes up and comes down as a file, by route. */
const fileTypes: Readonly<Record<string, readonly string[]>> = {
  uploadPdf: ['application/pdf'],
  openFile: ['application/pdf'],
  uploadPhoto: ['image/jpeg', 'image/png', 'image/webp'],
  uploadImage: ['image/jpeg', 'image/png', 'image/webp'],
  openPhoto: ['image/jpeg', 'image/png', 'image/webp'],
  importForecasts: [CSV, XLSX],
  previewImport: [CSV, XLSX],
  getImportTemplateCsv: [CSV],
  getImportTemplateXlsx: [XLSX],
  getFailedRows: [CSV, XLSX],
};

/** Media types of what a route takes or gives as a file; none when it has no file. */
export const fileTypesOf = ({ id }: RouteDefinition): readonly string[] => fileTypes[id] ?? [];

/** Headers that only files have, by the name of their component. */
export const fileHeaders: JsonObject = {
  AcceptRanges: { description: 'A part can be requested with the header `Range`', schema: { type: 'string', const: 'bytes' } },
  ContentRange: {
    description: 'Which bytes these are, and how many the file has',
    schema: { type: 'string' },
    example: 'bytes 0-1023/52480',
  },
};

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

const uploadedFile: JsonObject = { type: 'string', format: 'binary', description: 'The file, with its name' };
const fileUpload: JsonObject = { type: 'object', required: ['file'], properties: { file: uploadedFile } };

const mapping: JsonObject = {
  type: 'string',
  description:
    'JSON object: title of a column → name of a field, or null to ignore the column. Columns that it does not name are mapped by their titles',
  example: '{"Order":"po_number","Remark":null}',
};
const validateOnly: JsonObject = {
  type: 'boolean',
  description: '`true` checks every forecast and submits none; default `false`',
};

const urlExpiresIn: JsonObject = {
  type: 'integer',
  minimum: MIN_URL_SECONDS,
  maximum: MAX_URL_SECONDS,
  description: 'Seconds for which the returned URL opens the file, an hour to a year. Without it the URL never expires',
};

/** Body of an upload: a component and its schema. */
export function uploadOf({ id }: RouteDefinition): { readonly name: string; readonly schema: JsonObject } {
  if (id === 'importForecasts') {
    return { name: 'ImportUpload', schema: { ...fileUpload, properties: { file: uploadedFile, mapping, validate_only: validateOnly } } };
  }
  if (id === 'previewImport')
    return { name: 'ImportPreviewUpload', schema: { ...fileUpload, properties: { file: uploadedFile, mapping } } };
  if (id === 'uploadPdf')
    return { name: 'PdfUpload', schema: { ...fileUpload, properties: { file: uploadedFile, url_expires_in: urlExpiresIn } } };
  return { name: 'FileUpload', schema: fileUpload };
}

/** Files that are made for the response: nobody asks for a part of them. */
const wholeFiles: readonly string[] = ['getImportTemplateCsv', 'getImportTemplateXlsx', 'getFailedRows'];

/** What an upload may be, as the encoding of its form says it. */
export const uploadEncoding = (route: RouteDefinition): JsonObject => ({ file: { contentType: fileTypes[route.id]?.join(', ') } });

/** The successful response of a route that gives a table. @param common headers of every response of the route */
export function tableResponses(common: JsonObject): JsonObject {
  const content = { 'text/csv': { schema: { type: 'string', format: 'binary' } } };
  return { 200: { description: 'The table', headers: common, content } };
}

/** The successful responses of a route that gives a file: all of it, or a part. @param common headers of every response of the route */
export function fileResponses(route: RouteDefinition, common: JsonObject): JsonObject {
  const types = fileTypes[route.id] ?? [];
  const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  if (wholeFiles.includes(route.id)) return { 200: { description: 'The file', headers: common, content } };
  const headers: JsonObject = { ...common, 'Accept-Ranges': header('AcceptRanges') };
  return {
    200: { description: 'The file', headers, content },
    206: {
      description: 'The part that the header `Range` requests',
      headers: { ...headers, 'Content-Range': header('ContentRange') },
      content,
    },
  };
}
