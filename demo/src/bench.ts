import type { WarehouseForecastDetail, WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import { until } from '@parcelway/kernel/testing/until';
import { check } from './check.ts';
import type { NarratedClient, Narrator } from './narrator.ts';
import { readCodes } from './read-codes.ts';

/** The packing bench of the warehouse: what it scans, and with which key. */
export interface Bench {
  readonly warehouse: NarratedClient;
  readonly narrator: Narrator;
  /** Of the warehouse. */
  readonly code: string;
  /** The number on the parcel. */
  readonly trackingNumber: string;
  readonly poNumber: string;
}

/** Finds whose parcel lies on the bench by the number on it. @returns a note, and the forecast's number */
export async function findParcel({ warehouse, trackingNumber, poNumber }: Bench): Promise<{ note: string; forecastNo: string }> {
  const { candidates } = await until(
    async () => {
      const found = await warehouse.call<WarehouseLookup>(`/warehouse/v1/lookup?scan=${trackingNumber}`);
      return found.candidates.length > 0 ? found : undefined;
    },
    { what: 'the warehouse to know the parcel', everyMs: 200 },
  );
  const [candidate] = candidates;
  check(candidates.length === 1 && candidate?.forecast.po_number === poNumber, 'the scan found another parcel');
  return { note: `${candidate?.reason}`, forecastNo: String(candidate?.forecast.forecast_no) };
}

/** Opens the product label, which the platform renders for it, and has the codes on it read by programs of others. @returns a note */
export async function readProductLabel({ warehouse, narrator }: Bench, forecastNo: string): Promise<string> {
  const parcel = await warehouse.call<WarehouseForecastDetail>(`/warehouse/v1/forecasts/${forecastNo}`);
  const label = await warehouse.fetchBytes(String(parcel.marketplace_label));
  check(label.status === 200, 'the product label does not open');
  const codes = await readCodes(label.bytes);
  for (const { page, format, text } of codes) narrator.say(`    ▮▯▮ page ${page}, ${format}: ${text}`);
  const texts = codes.map(({ text }) => text);
  check(texts.includes(forecastNo), 'the carton page has no code of the forecast number');
  for (const { sku_code } of parcel.items) check(texts.includes(sku_code), `the product label has no code of ${sku_code}`);
  const carton = codes.find(({ format }) => format === 'QRCode');
  const scan = encodeURIComponent(carton?.text ?? '');
  const { candidates } = await warehouse.call<WarehouseLookup>(`/warehouse/v1/lookup?scan=${scan}`);
  check(
    candidates.some(({ forecast }) => forecast.forecast_no === forecastNo),
    'the QR code of the carton page does not lead to the forecast',
  );
  return `${codes.length} codes read by ZXing from ${label.bytes.length} bytes of PDF; the QR code leads back to ${forecastNo}`;
}
