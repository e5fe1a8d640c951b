import type { JsonObject } from './openapi-schemas.ts';
import { MAX_URL_SECONDS, MIN_URL_SECONDS } from './own-files-api.ts';
import type { RouteDefinition } from './route.ts';

/** Media types of what goes up and comes down as a file, by route. */
const fileTypes: Readonly<Record<string, readonly string[]>> = {
  uploadPdf: ['application/pdf'],
  openFile: ['application/pdf'],
  uploadPhoto: ['image/jpeg', 'image/png', 'image/webp'],
  uploadImage: ['image/jpeg', 'image/png', 'image/webp'],
  openPhoto: ['image/jpeg', 'image/png', 'image/webp'],
};

/** Headers that only files have, by the name of their component. */
export const fileHeaders: JsonObject = {
  AcceptRanges: { description: 'A part can be requested with the header `Range`', schema: { type: 'string', const: 'bytes' } },
  ContentRange: {
    description: 'Which bytes these are, and how many the file has',
    schema: { type: 'string' },
    example: 'bytes 0-1023/52480',
  },
  SuccessorVersion: {
    description:
      'URL of the next version of a product label or packing slip, with `rel="successor-version"` (RFC 8288, RFC 5829); absent while there is none, and for uploaded files',
    schema: { type: 'string' },
    example: '<https://api.example.com/files/c8WqR2nYs5tLx0vKzB4mPd-F7gHj1oUeXi9TaQ3rN6kVw.pdf>; rel="successor-version"',
  },
};

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

/** Body of an upload, a schema. */
export const fileUpload: JsonObject = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: 'The file, with its name' } },
};

/** Body of the upload of a PDF. */
export const pdfUpload: JsonObject = {
  ...fileUpload,
  properties: {
    ...(fileUpload['properties'] as JsonObject),
    url_expires_in: {
      type: 'integer',
      minimum: MIN_URL_SECONDS,
      maximum: MAX_URL_SECONDS,
      description: 'Seconds for which the returned URL opens the file, an hour to a year. Without it the URL never expires',
    },
  },
};

/** What an upload may be, as the encoding of its form says it. */
export const uploadEncoding = (route: RouteDefinition): JsonObject => ({ file: { contentType: fileTypes[route.id]?.join(', ') } });

/** The successful response of a route that gives a table. @param common headers of every response of the route */
export function tableResponses(common: JsonObject): JsonObject {
  const content = { 'text/csv': { schema: { type: 'string', format: 'binary' } } };
  return { 200: { description: 'The table', headers: common, content } };
}

/** The successful responses of a route that gives a file: all of it, or a part. @param common headers of every response of the route */
export function fileResponses(route: RouteDefinition, common: JsonObject): JsonObject {
  const headers: JsonObject = { ...common, 'Accept-Ranges': header('AcceptRanges') };
  if (route.id === 'openFile') headers['Link'] = header('SuccessorVersion');
  const types = fileTypes[route.id] ?? [];
  const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  return {
    200: { description: 'The file', headers, content },
    206: {
      description: 'The part that the header `Range` requests',
      headers: { ...headers, 'Content-Range': header('ContentRange') },
      content,
    },
  };
}
