// Uploads two PDFs, submits a forecast, lets the sandbox weigh the parcel, and reads the weighing, with types generated with
// openapi-typescript and calls made by openapi-fetch. Run with NODE_EXTRA_CA_CERTS: the sandbox on your machine has a certificate
// of its own.
import createClient from 'openapi-fetch';
import type { paths } from './generated/parcelway.js';

const WEIGHED_WITHIN_MS = 20_000;

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Set ${name}`);
  return value;
}

const client = createClient<paths>({ baseUrl: setting('PARCELWAY_BASE_URL'), headers: { 'X-Api-Key': setting('PARCELWAY_API_KEY') } });

/** Every failure has the same shape, so its details need no narrowing. */
function failure(error: { code: string; message: string; data: { errors?: { field: string }[] } | null }): Error {
  return new Error(`${error.code} ${error.message} ${error.data?.errors?.map(({ field }) => field).join(', ') ?? ''}`);
}

/** A call that is sent again with the same key has no second effect. */
function key(value: string) {
  return { params: { header: { 'Idempotency-Key': value } } };
}

async function upload(name: string, poNumber: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([`%PDF-1.4\n% ${name} of ${poNumber}\nstartxref\n0\n%%EOF\n`], { type: 'application/pdf' }), `${name}.pdf`);
  const { data, error } = await client.POST('/open/v1/files/pdf', {
    ...key(`${name}-${poNumber}`),
    body: { file: name },
    bodySerializer: () => form,
  });
  if (error) throw failure(error);
  return data.data.url;
}

/** The weight, once the warehouse has written it back. */
async function weighing(poNumber: string): Promise<number> {
  const deadline = Date.now() + WEIGHED_WITHIN_MS;
  while (Date.now() < deadline) {
    const { data, error } = await client.GET('/open/v1/forecasts/weighing', { params: { query: { po_number: poNumber } } });
    if (error) throw failure(error);
    if (data.data.weight_kg !== null) return data.data.weight_kg;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${poNumber} was not weighed within ${WEIGHED_WITHIN_MS} ms`);
}

const poNumber = `PO-TYPESCRIPT-${Date.now()}`;
const submitted = await client.POST('/open/v1/forecasts', {
  ...key(`submit-${poNumber}`),
  body: {
    po_number: poNumber,
    warehouse_code: setting('PARCELWAY_WAREHOUSE_CODE'),
    shipping_label: await upload('label', poNumber),
    shipping_note: await upload('packing-list', poNumber),
    items: [{ sku_code: 'TSHIRT-M', product_name_en: 'Cotton T-shirt', forecast_quantity: 2 }],
  },
});
if (submitted.error) throw failure(submitted.error);
console.log('submitted', submitted.data.data.forecast_no);

const simulated = await client.POST('/sandbox/v1/simulations', {
  ...key(`weigh-${poNumber}`),
  body: { po_number: poNumber, step: 'weigh', weight_kg: 1.84 },
});
if (simulated.error) throw failure(simulated.error);
console.log('weighed', await weighing(poNumber), 'kg');

const unknown = await client.GET('/open/v1/forecasts/weighing', { params: { query: { po_number: 'PO-UNKNOWN' } } });
if (!unknown.error) throw new Error('A forecast that does not exist was found');
console.log('refused', unknown.error.code);
