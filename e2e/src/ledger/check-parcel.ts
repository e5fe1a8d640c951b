import { isDeepStrictEqual } from 'node:util';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { EventOutcome } from '@parcelway/contracts/unclaimed-api';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { arrivalIdOf, CORRECTIONS, DISMISSED_BECAUSE, type LedgerEntry } from './ledger.ts';

/** Clients that read the state of a parcel. */
export interface ParcelReaders {
  readonly merchant: ApiClient;
  readonly warehouse: ApiClient;
}

/** Field and value of each correction up to a version. */
const correctedTo = (version: number) =>
  CORRECTIONS.slice(0, version - 1).flatMap((correction): [string, string | number][] => Object.entries(correction));

function correctionViolations({ correctionsAcknowledged, correctionsSent }: LedgerEntry, forecast: ForecastDetail): string[] {
  const { version, corrections } = forecast;
  if (version < 1 + correctionsAcknowledged || version > 1 + correctionsSent)
    return [`has version ${version} after ${correctionsAcknowledged} acknowledged corrections of ${correctionsSent}`];
  const audited = corrections.map((entry) => [entry.version, entry.changes.map(({ field, to }) => [field, to])]);
  const expected = correctedTo(version).map(([field, value], index) => [index + 2, [[field, String(value)]]]);
  if (!isDeepStrictEqual(audited, expected)) return [`has version ${version} and the corrections ${JSON.stringify(audited)}`];
  const { due_date, carton_count } = forecast;
  const shown: Record<string, unknown> = { due_date, carton_count };
  return correctedTo(version).flatMap(([field, value]) =>
    shown[field] === value ? [] : [`was corrected and has ${field} ${shown[field]}`],
  );
}

function measurementViolations({ eventId, weightKg, weighingAcknowledged }: LedgerEntry, { measurements }: ForecastDetail): string[] {
  const effects = measurements.filter(({ weight_kg }) => weight_kg === weightKg).length;
  return [
    ...(weighingAcknowledged && effects !== 1 ? [`weighing ${eventId} had ${effects} effects`] : []),
    ...(measurements.length > 1 ? [`has ${measurements.length} measurements`] : []),
  ];
}

function statusViolations({ weighingAcknowledged }: LedgerEntry, { history, status: shown }: ForecastDetail): string[] {
  const statuses = history.map(({ status }) => status);
  const rises = statuses.every((status, index) => status > (statuses[index - 1] ?? 0));
  const isBehind = weighingAcknowledged && shown < forecastStatuses.WEIGHED;
  return rises && !isBehind && statuses.at(-1) === shown ? [] : [`has status ${shown} and went ${statuses.join(', ')}`];
}

/** Beginning of a document that the platform renders. */
const PDF = Buffer.from('%PDF-');

/** The documents of the version have to open, and the uploaded files with exactly their bytes. */
async function contentViolations(merchant: ApiClient, entry: LedgerEntry, forecast: ForecastDetail): Promise<string[]> {
  const { poNumber, labelUrl, photoId, weighingAcknowledged } = entry;
  const { version, marketplace_label, marketplace_label_version, packing_slip, shipping_label, shipping_note, measurements } = forecast;
  if (marketplace_label_version !== version) return [`has version ${version} and documents of version ${marketplace_label_version}`];
  const photos = measurements.flatMap((measurement) => measurement.photos.map(({ image_url }) => image_url));
  if (weighingAcknowledged && photoId !== undefined && photos.length !== 1) return [`was weighed with one photo and has ${photos.length}`];
  // The submission has the label twice: as shipping label and as shipping note.
  const uploaded =
    labelUrl === undefined
      ? []
      : ([
          ['shipping_label', shipping_label],
          ['shipping_note', shipping_note],
        ] as const);
  const contents: readonly (readonly [name: string, url: string | null, bytes: Buffer])[] = [
    ['marketplace_label', marketplace_label, PDF],
    ['packing_slip', packing_slip, PDF],
    ...uploaded.map(([name, url]) => [name, url, samplePdf(poNumber)] as const),
    ...photos.map((url) => ['photo', url, samplePng(poNumber)] as const),
  ];
  const opened = contents.map(async ([name, url, expected]) => {
    if (!url) return [`has lost its ${name}`];
    const { pathname, search } = new URL(url);
    const { status, bytes } = await merchant.fetchBytes(`${merchant.baseUrl}${pathname}${search}`);
    const isRight = status === 200 && (expected === PDF ? bytes.subarray(0, PDF.length) : bytes).equals(expected);
    return isRight ? [] : [`has ${url}, which opens with ${status} and ${bytes.length} bytes`];
  });
  return (await Promise.all(opened)).flat();
}

/** The fields of a forecast that merchant and warehouse must see alike. */
const shared = (forecast: ForecastDetail | WarehouseForecastDetail): unknown => {
  const { forecast_no, status, version, due_date, carton_count, marketplace_label, marketplace_label_version, packing_slip } = forecast;
  const items = forecast.items.map(({ sku_code }) => sku_code);
  const weights = forecast.measurements.map(({ weight_kg }) => weight_kg);
  return {
    forecast_no,
    status,
    version,
    due_date,
    carton_count,
    marketplace_label,
    marketplace_label_version,
    packing_slip,
    items,
    weights,
  };
};

async function viewViolations(warehouse: ApiClient, forecast: ForecastDetail): Promise<string[]> {
  const seen = await warehouse.call<WarehouseForecastDetail>(`/warehouse/v1/forecasts/${forecast.forecast_no}`);
  if (seen.code !== '0') return [`is ${seen.code} at its warehouse`];
  const [merchants, warehouses] = [shared(forecast), shared(seen.data)];
  if (isDeepStrictEqual(merchants, warehouses)) return [];
  return [`is ${JSON.stringify(merchants)} for the merchant and ${JSON.stringify(warehouses)} for the warehouse`];
}

/** An event must have the `expected` outcome, resolved by hand. */
async function outcomeViolations(warehouse: ApiClient, eventId: string, expected: Partial<EventOutcome>): Promise<string[]> {
  const { code, data }: ApiResponse<EventOutcome> = await warehouse.call<EventOutcome>(`/warehouse/v1/events/${eventId}`);
  const found = code === '0' ? Object.fromEntries(Object.keys(expected).map((name) => [name, data[name as keyof EventOutcome]])) : code;
  const isByHand = code === '0' && data.resolved_by !== null && data.resolved_at !== null;
  return isDeepStrictEqual(found, expected) && isByHand ? [] : [`event ${eventId} is ${JSON.stringify(found)}, by hand: ${isByHand}`];
}

async function resolutionViolations(warehouse: ApiClient, entry: LedgerEntry): Promise<string[]> {
  const violations: string[] = [];
  if (entry.weighingAcknowledged && entry.strayNumber !== undefined) {
    const applied = { state: 'applied', forecast_no: entry.forecastNo ?? null } as const;
    for (const id of [arrivalIdOf(entry), entry.eventId]) violations.push(...(await outcomeViolations(warehouse, id, applied)));
  }
  if (entry.dismissalAcknowledged && entry.dismissedEventId !== undefined) {
    const dismissed = { state: 'dismissed', forecast_no: null, reason: DISMISSED_BECAUSE } as const;
    violations.push(...(await outcomeViolations(warehouse, entry.dismissedEventId, dismissed)));
  }
  return violations;
}

/**
 * Violations of a parcel whose forecast was acknowledged: the forecast is lost, a correction or a weighing had no effect or two, the documents are
 * not those of the version, an uploaded file does not open or differs, a status is missing or went back, warehouse and merchant see different data, or
 * an event is not resolved as acknowledged.
 */
export async function parcelViolations({ merchant, warehouse }: ParcelReaders, entry: LedgerEntry): Promise<string[]> {
  const { code, data: forecast } = await merchant.call<ForecastDetail>(`/open/v1/forecasts/${entry.poNumber}`);
  if (code !== '0') return [`forecast ${entry.poNumber} was acknowledged and is ${code}`];
  const found = [
    ...(forecast.forecast_no === entry.forecastNo ? [] : ['changed its number']),
    ...correctionViolations(entry, forecast),
    ...measurementViolations(entry, forecast),
    ...statusViolations(entry, forecast),
    ...(await contentViolations(merchant, entry, forecast)),
    ...(await viewViolations(warehouse, forecast)),
  ];
  return [...found.map((what) => `forecast ${entry.poNumber} ${what}`), ...(await resolutionViolations(warehouse, entry))];
}
