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
  /** HTTP status → what it comes with. */
  readonly responses: ReadonlyMap<string, DocumentedResponse>;
}

interface DocumentedResponse {
  /** Path of its schema in the document; null for a file. */
  readonly schema: string | null;
  /** Parameter of the query → path of the schema for requests that have it, such as `validate_only=true`. */
  readonly alternatives: Readonly<Record<string, string>>;
  readonly codes: readonly string[];
}

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');

function responsesOf(probe: DocumentProbe, place: string, operation: Part): DocumentedRoute['responses'] {
  const entries = Object.entries(operation.responses as Record<string, { readonly $ref?: string }>);
  return new Map(
    entries.map(([status, reference]) => {
      const response = probe.resolve(reference) as { readonly content: Part; readonly 'x-error-codes'?: object };
      const home = reference.$ref ?? `${place}/responses/${status}`;
      const json = `${home}/content/${escaped('application/json')}`;
      const content = response.content['application/json'] as Part | undefined;
      const names = Object.keys((content?.['x-alternative-schemas'] ?? {}) as object);
      const alternatives = Object.fromEntries(names.map((name) => [name, `${json}/x-alternative-schemas/${escaped(name)}`]));
      return [
        status,
        {
          schema: content === undefined ? null : `${json}/schema`,
          alternatives,
          codes: Object.keys(response['x-error-codes'] ?? { 0: [] }),
        },
      ];
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

/** What a response has wrong against the document; empty when all is well. @param requested path and query of the request */
export function breachesOf(probe: DocumentProbe, route: DocumentedRoute, requested: string, response: ApiResponse<unknown>): string[] {
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
  const parameters = requested.split('?')[1]?.split('&') ?? [];
  const alternative = Object.entries(documented.alternatives).find(([parameter]) => parameters.includes(parameter));
  return [...breaches, ...probe.errorsAt(alternative?.[1] ?? documented.schema, JSON.parse(text))];
}
