import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ForecastExportQuery } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { tenantOf } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { AppError } from '@parcelway/kernel/app-error';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { Router } from 'express';
import type { ForecastLister } from '../../store/forecast-store.ts';
import type { ListedForecast } from '../../store/ports.ts';
import { filtersOf, listForecasts, type PlannedList, planList } from '../list-forecasts.ts';
import { tableHead, tableRows } from './forecast-table.ts';

/** No export takes longer, however slowly its client reads. */
const MAX_EXPORT_MS = 3_600_000;

/** Exports under way of all tenants at most. Each holds a connection for minutes, and one batch of forecasts. */
const MAX_EXPORTS = 20;
const MAX_EXPORTS_OF_TENANT = 2;
/** Seconds after which a refused client is asked to try again: an export takes that long at least when it is large. */
const RETRY_AFTER = 5;

/** Forecasts of a batch. */
const AT_ONCE = 200;
const MAX_PAUSE_MS = 500;

const exportQueryValidator = compileValidator(ForecastExportQuery);

type Batches = AsyncGenerator<readonly ListedForecast[], void, undefined>;

/**
 * All forecasts of a list, batch by batch: each is read when the one before has been taken, so memory is bounded. The first one may be empty, so that the
 * response can begin. Other work has as much time as a batch took.
 * @param signal ends it between two batches
 */
async function* batchesOf(store: ForecastLister, tenantId: string, list: PlannedList, signal: AbortSignal): Batches {
  let after: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const beganAt = performance.now();
    const { forecasts, next } = await listForecasts(store, tenantId, list, AT_ONCE, after);
    const tookMs = performance.now() - beganAt;
    if (forecasts.length > 0 || after === undefined) yield forecasts;
    if (next === null) return;
    after = store.placeBehind(list.plan.walk, next);
    await pause(Math.min(MAX_PAUSE_MS, tookMs));
  }
}

/** The text of a table, of which the first batch has been read. */
async function* textOf(first: IteratorResult<readonly ListedForecast[], void>, rest: Batches): AsyncGenerator<string> {
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

/**
 * Limits the exports under way.
 * @returns takes a place for a tenant and returns a function that gives it back, to be called once. Throws AppError 42901 or 50301 when no place is free
 */
export function exportPlaces(): (tenantId: string) => () => void {
  const places = new FairShares({ capacity: MAX_EXPORTS, part: 1 });
  return (tenantId) => {
    const own = places.heldBy(tenantId);
    if (own >= MAX_EXPORTS_OF_TENANT) {
      const message = `${own} of your exports are under way, which is the maximum. Try again after one of them has ended`;
      const data = { limit: MAX_EXPORTS_OF_TENANT, retry_after_seconds: RETRY_AFTER };
      throw new AppError('42901', message, { retryAfterSeconds: RETRY_AFTER, data });
    }
    if (!places.take(tenantId)) throw AppError.unavailable('Too many exports are under way; try again', undefined, RETRY_AFTER);
    return () => places.give(tenantId);
  };
}

export function exportRoute(router: Router, store: ForecastLister): void {
  const takePlace = exportPlaces();
  router.get('/open/v1/forecasts.csv', async (req, res) => {
    const tenantId = tenantOf(req);
    const filters = filtersOf(parseQuery(req, exportQueryValidator));
    const giveBack = takePlace(tenantId);
    const ended = new AbortController();
    res.once('close', () => ended.abort());
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      ended.abort();
    }, MAX_EXPORT_MS).unref();
    try {
      const list = planList(filters, 'progress');
      const batches = list === undefined ? nothing() : batchesOf(store, tenantId, list, ended.signal);
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
