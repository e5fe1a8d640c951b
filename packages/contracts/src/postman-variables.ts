/*
 * The variables of the collection of requests: what a reader fills in once, and what later requests need from earlier responses.
 */

import { EXAMPLE_BASE_URL, exampleParcel, examplePhoto } from './example-parcel.ts';
import { pathParameters, type RouteDefinition } from './route.ts';
import { parameterExamples, routeExamples } from './route-examples.ts';

/** What a reader has to fill in before the first request. */
export const keyVariables = {
  api_key: 'Key of a tenant: pf_test_… in the sandbox',
  warehouse_api_key: 'Key of a warehouse, for the folders of warehouses alone',
} as const;

const lastStep = (url: string) => url.split('/').at(-1) ?? '';
const exampleFile = routeExamples['uploadPdf']?.data as { readonly url: string };

const exampleImage = routeExamples['uploadImage']?.data as { readonly image_id: string };

/** Variable → its first value, which examples of bodies have in its place. */
const firstValues: Readonly<Record<string, unknown>> = {
  ...parameterExamples,
  forecast_no: exampleParcel.forecastNo,
  warehouse_code: exampleParcel.warehouseCode,
  image_id: exampleImage.image_id,
  file_name: lastStep(exampleFile.url),
  photo_name: lastStep(examplePhoto.image_url),
};

/** The variable that fills in a parameter of a path. The name of a file is one of another kind than that of a photo. */
export function pathVariable(route: RouteDefinition, parameter: string): string {
  return parameter === 'name' ? `${route.path.split('/')[1]?.replace(/s$/, '') ?? ''}_name` : parameter;
}

/** Names of the variables that requests use besides the address and the keys, with their first values. */
export function requestVariables(routes: readonly RouteDefinition[]): ReadonlyMap<string, string> {
  const names = routes.flatMap((route) => pathParameters(route.path).map((parameter) => pathVariable(route, parameter)));
  const all = new Set(['po_number', 'forecast_no', 'warehouse_code', 'file_url', 'image_id', ...names]);
  return new Map([...all].map((name): [string, string] => [name, String(firstValues[name] ?? '')]));
}

/** The text of a body with variables in place of the reader's own values. */
export function withVariables(body: unknown, variables: ReadonlyMap<string, string>): string {
  let text = JSON.stringify(body, null, 2).replaceAll(/"[^"\n]*"/g, (quoted) => {
    const [found] = [...variables].find(([, value]) => value !== '' && quoted === JSON.stringify(value)) ?? [];
    return found === undefined ? quoted : `"{{${found}}}"`;
  });
  text = text.replaceAll(new RegExp(`"${EXAMPLE_BASE_URL}/files/[^"]+"`, 'g'), '"{{file_url}}"');
  return text.replaceAll(EXAMPLE_BASE_URL, '{{base_url}}');
}

/**
 * Lines of a script that keeps what the response gives for later requests; none when it gives nothing. `data` is a name that Postman has taken. Where there are no scripts, the reader fills in the
 * variables.
 */
export function keepingScript(route: RouteDefinition, variables: ReadonlyMap<string, string>): string[] {
  if (route.method !== 'POST' || route.data === 'binary') return [];
  const { properties = {} } = route.data as { readonly properties?: Readonly<Record<string, { readonly type?: string }>> };
  const names = Object.keys(properties).filter(
    (name) => variables.has(name) && ['string', 'integer'].includes(properties[name]?.type ?? ''),
  );
  const lines = names.map((name) => `if (created.${name}) pm.collectionVariables.set('${name}', created.${name});`);
  if (route.body === 'multipart' && ('url' in properties || 'image_url' in properties)) {
    const [url, kind] = 'url' in properties ? ['url', 'file'] : ['image_url', 'photo'];
    lines.push(`if (created.${url}) pm.collectionVariables.set('${kind}_name', created.${url}.split('/').pop());`);
    if (kind === 'file') lines.push(`if (created.${url}) pm.collectionVariables.set('file_url', created.${url});`);
  }
  return lines.length === 0 ? [] : ['const created = pm.response.json().data || {};', ...lines];
}
