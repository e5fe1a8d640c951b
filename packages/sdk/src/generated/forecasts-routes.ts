// Made from the contract by `npm run docs`; do not edit.
import type { ForecastCancellation, ForecastDetail, ForecastExportQuery, ForecastList, ForecastListQuery } from './forecast-api.ts';
import type { ForecastBatch, ForecastBatchResults } from './forecast-batch-api.ts';
import type { CorrectedForecast, ForecastCorrection } from './forecast-correction-api.ts';
import type { ForecastCounts } from './forecast-counts-api.ts';
import type { ForecastQueryResults, ForecastsQuery } from './forecast-query-api.ts';
import type { ForecastAcceptance, ForecastSubmission } from './forecast-submission-api.ts';
import type { ForecastValidation, SubmissionQuery } from './forecast-validation-api.ts';
import type { ForecastImageAddition, ForecastImageRemoval } from './own-images-api.ts';
import type { PoNumberQuery } from './po-number.ts';
import type { ForecastImage, WeighingData } from './weighing-api.ts';
import type { ContentStream } from '../content.ts';

/** What each route of "Forecasts" takes and gives. */
export interface ForecastsRoutes {
  /** Submit a forecast: `POST /open/v1/forecasts` */
  readonly submitForecast: {
    readonly path: undefined;
    readonly query: SubmissionQuery;
    readonly body: ForecastSubmission;
    readonly data: ForecastAcceptance;
  };
  /** List forecasts: `GET /open/v1/forecasts` */
  readonly listForecasts: {
    readonly path: undefined;
    readonly query: ForecastListQuery;
    readonly body: undefined;
    readonly data: ForecastList;
  };
  /** Count forecasts by status: `GET /open/v1/forecast-counts` */
  readonly countForecasts: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ForecastCounts;
  };
  /** Export forecasts: `GET /open/v1/forecasts.csv` */
  readonly exportForecasts: {
    readonly path: undefined;
    readonly query: ForecastExportQuery;
    readonly body: undefined;
    readonly data: ContentStream;
  };
  /** Query weighing information: `GET /open/v1/forecasts/weighing` */
  readonly queryWeighing: {
    readonly path: undefined;
    readonly query: PoNumberQuery;
    readonly body: undefined;
    readonly data: WeighingData;
  };
  /** Read a forecast: `GET /open/v1/forecasts/{po_number}` */
  readonly getForecast: {
    readonly path: { readonly po_number: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ForecastDetail;
  };
  /** Correct a forecast: `PATCH /open/v1/forecasts/{po_number}` */
  readonly correctForecast: {
    readonly path: { readonly po_number: string };
    readonly query: undefined;
    readonly body: ForecastCorrection;
    readonly data: CorrectedForecast;
  };
  /** Cancel a forecast: `POST /open/v1/forecasts/{po_number}/cancel` */
  readonly cancelForecast: {
    readonly path: { readonly po_number: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ForecastCancellation;
  };
  /** Validate a forecast: `POST /open/v1/forecasts/validate` */
  readonly validateForecast: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: ForecastSubmission;
    readonly data: ForecastValidation;
  };
  /** Submit many forecasts: `POST /open/v1/forecasts/batch` */
  readonly submitForecastBatch: {
    readonly path: undefined;
    readonly query: SubmissionQuery;
    readonly body: ForecastBatch;
    readonly data: ForecastBatchResults;
  };
  /** Query many forecasts: `POST /open/v1/forecasts/query` */
  readonly queryForecasts: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: ForecastsQuery;
    readonly data: ForecastQueryResults;
  };
  /** Put an image on a forecast: `POST /open/v1/forecasts/{po_number}/images` */
  readonly addForecastImage: {
    readonly path: { readonly po_number: string };
    readonly query: undefined;
    readonly body: ForecastImageAddition;
    readonly data: ForecastImage;
  };
  /** Remove an own image from a forecast: `DELETE /open/v1/forecasts/{po_number}/images/{image_number}` */
  readonly removeForecastImage: {
    readonly path: { readonly po_number: string; readonly image_number: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ForecastImageRemoval;
  };
}
