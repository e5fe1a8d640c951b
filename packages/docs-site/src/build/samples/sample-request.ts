import { EXAMPLE_BASE_URL } from '@parcelway/contracts/example-parcel';
import { parameterExamples, routeExamples } from '@parcelway/contracts/examples';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';

export interface SampleRequest {
  /** Id of the route, such as `submitForecast`. */
  readonly id: string;
  readonly method: RouteDefinition['method'];
  /** With its query. */
  readonly path: string;
  readonly needsKey: boolean;
  /** JSON body; undefined when there is none. */
  readonly json?: unknown;
  /** File to upload, in the form field `file`. */
  readonly upload?: { readonly name: string; readonly type: string };
  /** Name under which the response is saved; undefined when it is JSON. */
  readonly download?: string;
}

const allExamples = JSON.stringify(routeExamples);

/** The last part of a URL of files or photos, as some example has it. @param folder such as `/files/` */
const exampleName = (folder: string): string | undefined =>
  new RegExp(`${EXAMPLE_BASE_URL.replaceAll('.', '\\.')}${folder}([^"/]+)`).exec(allExamples)?.[1];

/** The value of a parameter of a path. @throws Error for one without an example */
export function pathExample(route: RouteDefinition, name: string): string {
  const value = parameterExamples[name] ?? (name === 'name' ? exampleName(route.path.replace('{name}', '')) : undefined);
  if (value === undefined) throw new Error(`packages/contracts has no example of the parameter ${name} of ${route.id}`);
  return String(value);
}

/** Parameters of the query that a sample sends: the required ones, and those that the example of the route fills in. */
export function queryExamples(route: RouteDefinition): Readonly<Record<string, string>> {
  const { required = [] } = (route.query ?? {}) as { readonly required?: readonly string[] };
  const needed = required.flatMap((name) => {
    const value = parameterExamples[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { ...Object.fromEntries(needed), ...routeExamples[route.id]?.query };
}

/** The first example of the body of a route; undefined when it has none. */
export const bodyExample = (route: RouteDefinition): unknown => Object.values(routeExamples[route.id]?.requests ?? {})[0];
const photo = { name: 'photo.jpg', type: 'image/jpeg' };
const spreadsheet = { name: 'forecasts.csv', type: 'text/csv' };

/** Route → file that its sample uploads, where that is no PDF. */
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

/** True for a route whose response is no JSON. */
export const isDownload = ({ data }: RouteDefinition): boolean => data === 'binary' || data === 'table';

/** The request of a route as its samples send it: the first example of the contract. */
export function sampleRequest(route: RouteDefinition): SampleRequest {
  let path = route.path;
  for (const name of pathParameters(route.path)) path = path.replace(`{${name}}`, encodeURIComponent(pathExample(route, name)));
  const query = new URLSearchParams(queryExamples(route)).toString();
  return {
    id: route.id,
    method: route.method,
    path: `${path}${query === '' ? '' : `?${query}`}`,
    needsKey: route.access !== 'public',
    json: route.body === 'multipart' ? undefined : bodyExample(route),
    ...(route.body === 'multipart' ? { upload: uploads[route.id] ?? { name: 'label.pdf', type: 'application/pdf' } } : {}),
    ...(isDownload(route) ? { download: downloads[route.id] ?? 'opened-label.pdf' } : {}),
  };
}
