import { expect, test } from '@jest/globals';
import { MAX_NAMED_FORECASTS, type NamedForecasts } from '@parcelway/contracts/forecast-query-api';
import type { ServiceCall, ServiceClient } from '@parcelway/http/service-client';
import { createExistingForecasts } from './admin-operations.ts';

/** Asks a forecast service that responds to the names of each call. */
function askOf(respond: (body: NamedForecasts) => NamedForecasts) {
  const call = async (asked: ServiceCall): Promise<unknown> => respond(asked.body as NamedForecasts);
  return createExistingForecasts({ services: { call: call as ServiceClient['call'] }, environment: 'sandbox' });
}

const nameOf = (index: number) => ({ tenantId: 'tnt_a', forecastNo: `FC${index}` });

test('asks for no more names at once than a call takes, and gathers what exists', async () => {
  const sizes: number[] = [];
  const existing = askOf(({ forecasts }) => {
    sizes.push(forecasts.length);
    return { forecasts: forecasts.slice(-1) };
  });
  const names = Array.from({ length: MAX_NAMED_FORECASTS + 2 }, (_, index) => nameOf(index));
  expect(await existing(names)).toEqual([nameOf(MAX_NAMED_FORECASTS - 1), nameOf(MAX_NAMED_FORECASTS + 1)]);
  expect(sizes).toEqual([MAX_NAMED_FORECASTS, 2]);
});
