import Type, { type Static } from 'typebox';
import { ForecastDetail } from './forecast-api.ts';
import { ForecastSubmission } from './forecast-submission-api.ts';
import { object } from './object.ts';
import { httpsUrl, nullable } from './text.ts';
import { Warning } from './warnings.ts';

/** Fields of a submission that no correction changes: what they are cannot be another forecast's. */
export const fixedFields = ['po_number', 'forecast_type'] as const;

/** Body of a correction: what is named replaces what was submitted, `items` as a whole; null removes. */
export const ForecastCorrection = Type.Object(
  {
    warehouse_code: Type.Optional(ForecastSubmission.properties.warehouse_code),
    due_date: Type.Optional(nullable(ForecastSubmission.properties.due_date)),
    shipping_label: Type.Optional(httpsUrl('URL of the shipping label from the upload endpoint')),
    shipping_note: Type.Optional(httpsUrl('URL of the packing list from the upload endpoint')),
    carton_count: Type.Optional(nullable(ForecastSubmission.properties.carton_count)),
    items: Type.Optional(ForecastSubmission.properties.items),
  },
  { $id: 'ForecastCorrection', title: 'Forecast correction', minProperties: 1 },
);
export type ForecastCorrection = Static<typeof ForecastCorrection>;

/** `data` of a correction: the forecast as it is now. */
export const CorrectedForecast = object('CorrectedForecast', {
  ...ForecastDetail.properties,
  warnings: Type.Array(Warning, { description: 'At most 100 of the body and 20 of the query' }),
});
export type CorrectedForecast = Static<typeof CorrectedForecast>;
