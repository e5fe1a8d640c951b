import { AppError } from '@parcelway/kernel/app-error';
import type { ScanReading } from '../../expected/domain/scan-keys.ts';

/** A forecast that a scan of the number may mean. */
export interface NumberCandidate {
  readonly matchedBy: ScanReading['matchedBy'];
  readonly seen: { readonly forecast: { readonly forecastNo: string } };
}

/**
 * Refuses to claim the code of a product: every later parcel with that product would go to this forecast. A number that the forecast itself has may be
 * claimed, even if it is also the code of a product. The other conditions of a claim are in reports/domain/claim-or-dismiss.
 * @param forecastNo of the claim
 * @param candidates what a scan of the number may mean at the warehouse
 * @throws AppError 40902
 */
export function assertNumberOfParcel(number: string, forecastNo: string, candidates: readonly NumberCandidate[]): void {
  const byProduct = candidates.filter(({ matchedBy }) => matchedBy === 'barcode' || matchedBy === 'sku_code');
  const isKnownByIt = candidates.some((each) => each.seen.forecast.forecastNo === forecastNo && !byProduct.includes(each));
  const [product] = byProduct;
  if (product === undefined || isKnownByIt) return;
  const { forecastNo: product_of } = product.seen.forecast;
  throw new AppError(
    '40902',
    `${number} is the code of a product in forecast ${product_of}, not the number of a parcel; dismiss the event, and report it again with the forecast_no`,
    { data: { product_code: number, product_of } },
  );
}
