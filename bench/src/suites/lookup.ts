import type { Row } from '../report/row.ts';
import type { Suite, SuiteOptions } from '../suite.ts';
import { type FilledStage, onFilledStages, type ViewMode } from '../view/filled-stage.ts';
import { measureView, type ViewRequest } from '../view/measure-requests.ts';
import { COMMON_SKU, scansOf } from '../view/view-sample.ts';

const lookUp = ({ client }: FilledStage, scan: string): Promise<void> =>
  client.send('GET', `/warehouse/v1/lookup?scan=${encodeURIComponent(scan)}`, null);

/** Looks for one of all forecasts, each time another one. */
function scanned(name: string, scanOf: (scans: ReturnType<typeof scansOf>) => string): ViewRequest {
  const send = (stage: FilledStage): Promise<void> => lookUp(stage, scanOf(scansOf(1 + Math.floor(Math.random() * stage.forecasts))));
  return { name: `Lookup by ${name}`, send };
}

const carton = ({ forecastNo, poNumber }: ReturnType<typeof scansOf>): string =>
  JSON.stringify({ forecast_no: forecastNo, po_number: poNumber, warehouse_code: 'W1' });

const requests: readonly ViewRequest[] = [
  scanned('tracking number', ({ trackingNumber }) => trackingNumber),
  scanned('forecast_no', ({ forecastNo }) => forecastNo),
  scanned('po_number', ({ poNumber }) => poNumber),
  scanned("QR code of a carton's label", carton),
  scanned('GTIN', ({ barcode }) => barcode),
  scanned('SKU of one forecast', ({ sku }) => sku),
  scanned('SKU that all have', () => COMMON_SKU),
  scanned('what nothing has', ({ forecastNo }) => `NONE-${forecastNo}`),
];

/** Lookups by what a scanner reads, with few and with many forecasts: what they cost must not grow with them. */
export function lookupIn(mode: ViewMode): Suite {
  return (options: SuiteOptions): Promise<readonly Row[]> =>
    onFilledStages(options, mode, (stages) => measureView(options, 'lookup', 'Lookup by scan', stages, requests));
}
