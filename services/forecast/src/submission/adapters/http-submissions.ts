import type { ForecastCancellation, ForecastDetail } from '@parcelway/contracts/forecast-api';
import { principalOf, tenantOf } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import { type Idempotency, seedOf } from '@parcelway/http/idempotency';
import { jsonBody } from '@parcelway/http/json-body';
import { type ResponseOptions, sendOk } from '@parcelway/http/response';
import { isoInstant } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Request, Router } from 'express';
import type { DetailOptions } from '../../lists/adapters/representations.ts';
import { entityTag } from '../../store/domain/version-condition.ts';
import type { CancelForecast } from '../cancel-forecast.ts';
import type { CorrectForecast } from '../correct-forecast.ts';
import type { SubmitForecast } from '../submit-forecast.ts';
import type { ValidateForecast } from '../validate-forecast.ts';
import { isValidateOnly, originOf, unlessValidateOnly } from './http-batches.ts';
import { acceptanceData, correctedData, validationData } from './submission-representations.ts';

export interface SubmissionRoutesOptions {
  readonly submit: SubmitForecast;
  readonly validate: ValidateForecast;
  readonly cancel: CancelForecast;
  readonly correct: CorrectForecast;
  readonly idempotency: Idempotency;
  /** cm³ that count as 1 kg. */
  readonly detail: DetailOptions;
}

const poNumberOf = (req: Request): string => String(req.params['po_number']);

/** The header of a response about an effect from before. */
const replayHeader = ({ replayed }: { readonly replayed: boolean }): ResponseOptions =>
  replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {};

function versionHeader(body: string): Readonly<Record<string, string>> {
  const { data } = JSON.parse(body) as { readonly data: Pick<ForecastDetail, 'version'> };
  return { ETag: entityTag(data.version) };
}

/** The public routes that change forecasts: submission, correction, cancellation. */
export function submissionRoutes(
  router: Router,
  { submit, validate, cancel, correct, idempotency, detail }: SubmissionRoutesOptions,
): void {
  const once = unlessValidateOnly(idempotency.route('submitForecast', tenantOf));
  router.post('/open/v1/forecasts', jsonBody(), once, async (req, res) => {
    if (isValidateOnly(req)) {
      sendOk(res, validationData(await validate(tenantOf(req), req.body)));
      return;
    }
    const acceptance = await submit(tenantOf(req), req.body, originOf(req));
    sendOk(res, acceptanceData(acceptance), replayHeader(acceptance));
    // Until the response is with the operating system, or the client is gone: node writes it in a later turn.
    if (!res.closed) await new Promise<void>((resolve) => res.once('close', resolve));
    await failpointAsync('forecast.after-answer');
  });
  router.patch(
    '/open/v1/forecasts/:po_number',
    jsonBody(),
    idempotency.route('correctForecast', tenantOf, { headersOf: versionHeader }),
    async (req, res) => {
      const corrected = await correct({
        tenantId: tenantOf(req),
        poNumber: poNumberOf(req),
        body: req.body,
        ifMatch: req.get('if-match'),
        keyId: principalOf(req).keyId,
        seed: seedOf(req),
        traceparent: traceparentOf(req),
      });
      const headers = { ETag: entityTag(corrected.record.contentVersion), ...replayHeader(corrected).headers };
      sendOk(res, correctedData(corrected, detail), { headers });
    },
  );
  router.post('/open/v1/forecasts/:po_number/cancel', async (req, res) => {
    const cancellation = await cancel(tenantOf(req), poNumberOf(req), originOf(req));
    const data: ForecastCancellation = {
      forecast_no: cancellation.forecastNo,
      po_number: cancellation.poNumber,
      status: 'CANCELLED',
      cancel_time: isoInstant(cancellation.cancelledAt),
    };
    sendOk(res, data, replayHeader(cancellation));
  });
}
