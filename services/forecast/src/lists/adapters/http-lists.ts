import { ForecastListQuery } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { tenantOf } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { SealedCursors } from '@parcelway/http/sealed-cursor';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import type { Router } from 'express';
import { mayBePlace, placeInText, textOfPlace } from '../../store/domain/list-cursor.ts';
import type { ForecastLister } from '../../store/forecast-store.ts';
import { filtersOf, listForecasts, planList } from '../list-forecasts.ts';
import { summaryData } from './representations.ts';

export interface ListRoutesOptions {
  readonly store: ForecastLister;
  /** Those of the list. */
  readonly cursors: SealedCursors;
}

const DEFAULT_LIMIT = 20;

const invalidCursor: FieldError = {
  field: 'cursor',
  rule: 'cursor',
  message: 'cursor must be the next_cursor of the previous page, with the same filters',
};

const listQueryValidator = compileValidator(ForecastListQuery);

export function listRoutes(router: Router, { store, cursors }: ListRoutesOptions): void {
  router.get('/open/v1/forecasts', async (req, res) => {
    const tenantId = tenantOf(req);
    let place: string | undefined;
    const query = parseQuery(req, listQueryValidator, {
      cursor(text) {
        place = cursors.open(tenantId, text) ?? '';
        return mayBePlace(place) ? undefined : invalidCursor;
      },
    });
    const filters = filtersOf(query);
    const after = place === undefined ? undefined : placeInText(filters, place);
    if (place !== undefined && after === undefined) throw AppError.validation([invalidCursor]);
    const list = planList(filters);
    const page =
      list === undefined
        ? { forecasts: [], next: null }
        : await listForecasts(store, tenantId, list, Number(query.limit ?? DEFAULT_LIMIT), after);
    const nextPlace = list === undefined || page.next === null ? null : store.placeBehind(list.plan.walk, page.next);
    const nextCursor = nextPlace === null ? null : cursors.seal(tenantId, textOfPlace(filters, nextPlace));
    sendOk(res, { forecasts: page.forecasts.map(summaryData), next_cursor: nextCursor });
  });
}
