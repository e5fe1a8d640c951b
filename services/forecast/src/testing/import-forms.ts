import type { ForecastImport, ForecastImportPreview, ImportRow } from '@parcelway/contracts/import-api';
import { until } from '@parcelway/kernel/testing/until';
import type { NewImport } from '../imports/import-store.ts';
import { type ApiResponse, type ForecastHarness, tenantPrincipal } from './forecast-harness.ts';

const BOUNDARY = 'import-form';

/** A form with a spreadsheet. @param fields further fields, before the file */
export function importForm(name: string, content: Buffer | string, fields: Readonly<Record<string, string>> = {}): Buffer {
  const head = (disposition: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  const texts = Object.entries(fields).map(([field, value]) => `${head(`name="${field}"`)}${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${texts.join('')}${head(`name="file"; filename="${name}"`)}`),
    Buffer.from(content),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/** Media type of {@link importForm}. */
export const importFormType = `multipart/form-data; boundary=${BOUNDARY}`;

/** An import of a CSV file with the key `key_1`, as it begins. */
export function importJob(tenantId: string, importId: string, createdAt: number): NewImport {
  return { tenantId, importId, fileName: 'a.csv', fileKey: `${tenantId}/${importId}`, kind: 'csv', keyId: 'key_1', createdAt };
}

type ImportResponse = Omit<ApiResponse, 'data'> & { readonly data: ForecastImport };

export class ImportCaller {
  readonly #harness: ForecastHarness;
  readonly #tenant: string;
  readonly #keyId: string;

  constructor(harness: ForecastHarness, tenant = 'tnt_a', keyId = 'key_test') {
    this.#harness = harness;
    this.#tenant = tenant;
    this.#keyId = keyId;
  }

  upload(name: string, content: Buffer | string, fields = {}, headers: Readonly<Record<string, string>> = {}): Promise<ImportResponse> {
    const body = importForm(name, content, fields);
    return this.#call('POST', '', { body, contentType: importFormType, headers });
  }

  /** Uploads a spreadsheet, and waits until the import has finished. */
  async run(name: string, content: Buffer | string, fields = {}): Promise<ForecastImport> {
    const { status, code, message, data } = await this.upload(name, content, fields);
    if (status !== 202) throw new Error(`${code} ${message}`);
    return this.finished(data.import_id);
  }

  /** Waits until an import has finished. */
  finished(importId: string): Promise<ForecastImport> {
    return until(
      async () => {
        const { data } = await this.read(importId);
        return data.state === 'running' ? undefined : data;
      },
      { within: 20_000, what: 'the import to finish' },
    );
  }

  read(importId: string): Promise<ImportResponse> {
    return this.#call('GET', `/${importId}`);
  }

  cancel(importId: string): Promise<ImportResponse> {
    return this.#call('POST', `/${importId}/cancel`);
  }

  /** All rows. @param query such as `?state=failed` */
  async rows(importId: string, query = ''): Promise<readonly ImportRow[]> {
    const response = await this.#call('GET', `/${importId}/rows${query}`);
    return (response.data as unknown as { readonly rows: readonly ImportRow[] }).rows;
  }

  async preview(
    name: string,
    content: Buffer | string,
    fields = {},
  ): Promise<Omit<ApiResponse, 'data'> & { readonly data: ForecastImportPreview }> {
    return (await this.#call('POST', '/preview', { body: importForm(name, content, fields), contentType: importFormType })) as never;
  }

  async file(path: string): Promise<string> {
    return (await this.bytes(path)).toString();
  }

  async bytes(path: string): Promise<Buffer> {
    const response = await this.#harness.download('GET', `/open/v1/forecasts/import/${path}`, { tenant: this.#tenant });
    if (response.status !== 200) throw new Error(`${response.status} ${response.bytes}`);
    return response.bytes;
  }

  async #call(method: 'GET' | 'POST', path: string, options: object = {}): Promise<ImportResponse> {
    const principal = tenantPrincipal(this.#tenant, this.#keyId);
    const response = await this.#harness.call(method, `/open/v1/forecasts/import${path}`, { principal, ...options });
    return response as unknown as ImportResponse;
  }
}

/** A CSV file of type 1 forecasts. @param rows values of po_number, SKU and quantity */
export function csvOf(rows: readonly (readonly [po: string, sku: string, quantity: string | number])[]): string {
  const lines = rows.map(([po, sku, quantity]) => `${po},1,WH1,${sku},Lamp,${quantity}`);
  return ['PO number,Type,Warehouse,SKU,Product name,Quantity', ...lines].join('\n');
}
