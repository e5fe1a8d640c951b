import { type FoundParcels, ParcelSearch } from '@parcelway/contracts/parcel-search-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem } from '@parcelway/http/app';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import type { Router } from 'express';
import { type FindParcelsOptions, findParcels } from '../find-parcels.ts';

const parcelSearch = compileValidator(ParcelSearch);

/** The internal route by which the gateway finds parcels for an operator. */
export function findParcelsRoute(options: FindParcelsOptions): (router: Router) => void {
  return (router) => {
    router.post('/internal/v1/parcels/find', jsonBody(), async (req, res) => {
      assertSystem(req);
      const { number, warehouse_codes: warehouseCodes } = parcelSearch.parse(req.body);
      const { parcels, hasMore } = await findParcels(options, number, warehouseCodes);
      const found = parcels.map(({ tenantId, forecastNo, warehouseCode, matchedBy }) => ({
        tenant_id: tenantId,
        forecast_no: forecastNo,
        warehouse_code: warehouseCode,
        matched_by: matchedBy,
      }));
      sendOk(res, { parcels: found, has_more: hasMore } satisfies FoundParcels);
    });
  };
}
