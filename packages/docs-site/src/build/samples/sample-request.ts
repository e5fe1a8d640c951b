import { EXAMPLE_BASE_URL } from '@parcelway/contracts/example-parcel';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';
import { parameterExamples, routeExamples } from '@parcelway/contracts/route-examples';

export interface SampleRequest {
  readonly id: string;
  readonly method: RouteDefinition['method'];
  readonly url: string;
  readonly needsKey: boolean;
  readonly json?: unknown;
  readonly upload?: { readonly name: string; readonly type: string };
  readonly download?: string;
}

const allExamples = JSON.stringify(routeExamples);

/** The last part of a URL of files or photos, as some example has it. @param folder such as `/files/` */
const exampleName = (folder: string): string | undefined =>
  new RegExp(`${EXAMPLE_BASE_URL.replaceAll('.', '\\.')}${folder}([^"/]+)`).exec(allExamples)?.[1];

export function pathExample(route: RouteDefinition, name: string): string {
  const value = parameterExamples[name] ?? (name === 'name' ? exampleName(route.path.replace('{name}', '')) : undefined);
  if (value === undefined) throw new Error(`packages/contracts has no example of the parameter ${name} of ${route.id}`);
  return String(value);
}

export function queryExamples(route: RouteDefinition): Readonly<Record<string, string>> {
  const { required = [] } = (route.query ?? {}) as { readonly required?: readonly string[] };
  const needed = required.flatMap((name) => {
    const value = parameterExamples[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { ...Object.fromEntries(needed), ...routeExamples[route.id]?.query };
}

export const bodyExample = (route: RouteDefinition): unknown => Object.values(routeExamples[route.id]?.requests ?? {})[0];
const photo = { name: 'photo.jpg', type: 'image/jpeg' };
const spreadsheet = { name: 'forecasts.csv', type: 'text/csv' };

const uploads: Readonly<Record<string, SampleRequest['upload']>> = {
  uploadPhoto: photo,
  uploadImage: photo,
  importForecasts: spreadsheet,
  previewImport: spreadsheet,
};

/** Route → name under which its sample saves the response, where that is no PDF. No sample reads a file of this name. */
const downloads: Readonly<Record<string, string>> = {
  openPhoto: 'opened-photo.jpg',
  exportForecasts: 'exported-forecasts.csv',
  getImportTemplateCsv: 'template.csv',
  getImportTemplateXlsx: 'template.xlsx',
  getFailedRows: 'failed.csv',
};

export const isDownload = ({ data }: RouteDefinition): boolean => data === 'binary' || data === 'table';

export function sampleRequest(route: RouteDefinition): SampleRequest {
  let path = route.path;
  for (const name of pathParameters(route.path)) path = path.replace(`{${name}}`, encodeURIComponent(pathExample(route, name)));
  const query = new URLSearchParams(queryExamples(route)).toString();
  return {
    id: route.id,
    method: route.method,
    url: `${EXAMPLE_BASE_URL}${path}${query === '' ? '' : `?${query}`}`,
    needsKey: route.access !== 'public',
    json: route.body === 'multipart' ? undefined : bodyExample(route),
    ...(route.body === 'multipart' ? { upload: uploads[route.id] ?? { name: 'label.pdf', type: 'application/pdf' } } : {}),
    ...(isDownload(route) ? { download: downloads[route.id] ?? 'opened-label.pdf' } : {}),
  };
}
