import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ForecastExportQuery } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { tenantOf } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { AppError } from '@parcelway/kernel/app-error';
import type { Router } from 'express';
import type { ReportedForecast } from '../../store/ports.ts';
import { exportForecasts } from '../export-forecasts.ts';
import { ExportSlots } from '../export-slots.ts';
import { filtersOf, planList } from '../list-forecasts.ts';
import { tableHead, tableRows } from './forecast-table.ts';
import type { ListRoutesOptions } from './http-lists.ts';

/** No export takes longer, however slowly its client reads. */
const MAX_EXPORT_MS = 3_600_000;

const exportQueryValidator = compileValidator(ForecastExportQuery);

type Batches = AsyncGenerator<readonly ReportedForecast[], void, undefined>;

/** The text of a table, of which the first batch has been read. */
async function* textOf(first: IteratorResult<readonly ReportedForecast[], void>, rest: Batches): AsyncGenerator<string> {
  yield tableHead + (first.done ? '' : tableRows(first.value));
  for await (const forecasts of rest) yield tableRows(forecasts);
}

/**
 * Sends a table as it is read, no faster than its client takes it. A client that reads nothing is ended by the server (endStalledConnections).
 * @throws AppError 50301, before the response has begun or in the middle of it: then the connection is cut, so that the table does not look complete
 */
async function sendTable(res: ServerResponse, batches: Batches, signal: AbortSignal): Promise<void> {
  // Before the head: what fails at once is a response like any other.
  const first = await batches.next();
  res.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': 'attachment; filename="forecasts.csv"',
    // Few forecasts of many may be wanted: what has been found is not to wait for more.
    'X-Accel-Buffering': 'no',
  });
  await pipeline(textOf(first, batches), res, { signal });
}

/** The public route of the export. */
export function exportRoute(router: Router, { store }: ListRoutesOptions): void {
  const slots = new ExportSlots();
  router.get('/open/v1/forecasts.csv', async (req, res) => {
    const tenantId = tenantOf(req);
    const filters = filtersOf(parseQuery(req, exportQueryValidator));
    const giveBack = slots.take(tenantId);
    const ended = new AbortController();
    res.once('close', () => ended.abort());
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      ended.abort();
    }, MAX_EXPORT_MS).unref();
    try {
      const list = planList(filters);
      const batches = list === undefined ? nothing() : exportForecasts(store, tenantId, list, ended.signal);
      await sendTable(res, batches, ended.signal);
    } catch (error) {
      if (isLate) throw AppError.unavailable('An export took longer than an hour and was ended', error);
      // A client that has left is no failure.
      if (!ended.signal.aborted || error instanceof AppError) throw error;
    } finally {
      clearTimeout(deadline);
      giveBack();
    }
  });
}

async function* nothing(): Batches {
  // No forecast has the po_number that was asked for.
}
