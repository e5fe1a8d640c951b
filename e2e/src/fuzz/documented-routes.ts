import type { DocumentProbe, Part } from '@parcelway/contracts/testing/document-probe';
import type { ApiResponse } from '@parcelway/harness/api-client';

/** A parameter as the document describes it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Part;
}

/** One route of the OpenAPI document. */
export interface DocumentedRoute {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Schema of the JSON body, `upload` for a file; undefined without a body. */
  readonly body: unknown;
  /** HTTP status → path of its schema in the document; null for a file. */
  readonly responses: ReadonlyMap<string, { readonly schema: string | null; readonly codes: readonly string[] }>;
}

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');

function responsesOf(probe: DocumentProbe, place: string, operation: Part): DocumentedRoute['responses'] {
  const entries = Object.entries(operation.responses as Record<string, { readonly $ref?: string }>);
  return new Map(
    entries.map(([status, reference]) => {
      const response = probe.resolve(reference) as { readonly content: Part; readonly 'x-error-codes'?: object };
      const home = reference.$ref ?? `${place}/responses/${status}`;
      const schema = 'application/json' in response.content ? `${home}/content/${escaped('application/json')}/schema` : null;
      return [status, { schema, codes: Object.keys(response['x-error-codes'] ?? { 0: [] }) }];
    }),
  );
}

/** Every route of the document. */
export function documentedRoutes(probe: DocumentProbe): DocumentedRoute[] {
  return Object.entries(probe.at('#/paths')).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Part>).map(([method, operation]) => {
      const content = (operation.requestBody as { readonly content?: Record<string, { readonly schema: unknown }> } | undefined)?.content;
      return {
        id: String(operation.operationId),
        method: method.toUpperCase() as DocumentedRoute['method'],
        path,
        parameters: (operation.parameters ?? []) as readonly Parameter[],
        body: content === undefined ? undefined : (content['application/json']?.schema ?? 'upload'),
        responses: responsesOf(probe, `#/paths/${escaped(path)}/${method}`, operation),
      };
    }),
  );
}

/** What a response has wrong against the document; empty when all is well. */
export function breachesOf(probe: DocumentProbe, route: DocumentedRoute, response: ApiResponse<unknown>): string[] {
  const { status, headers, text } = response;
  const documented = route.responses.get(String(status));
  if (status >= 500 && status !== 503) return [`HTTP ${status}`];
  if (documented === undefined) return [`HTTP ${status} is not documented`];
  const breaches: string[] = [];
  if (!/^req_[0-9a-z]{26}$/.test(String(headers['x-request-id']))) breaches.push(`X-Request-Id is ${headers['x-request-id']}`);
  if ((status === 429 || status === 503) && headers['retry-after'] === undefined) breaches.push('no Retry-After');
  if (documented.schema === null) return breaches;
  if (!String(headers['content-type']).startsWith('application/json')) return [...breaches, `Content-Type is ${headers['content-type']}`];
  if (!documented.codes.includes(response.code)) breaches.push(`code ${response.code} is not documented for HTTP ${status}`);
  return [...breaches, ...probe.errorsAt(documented.schema, JSON.parse(text))];
}
