import { type DetailOptions, detailData, weighingData } from '../../lists/adapters/representations.ts';
import type { WholeForecast } from '../../lists/query-forecasts.ts';

/**
 * A forecast as the archive keeps it: what the API shows a merchant, with the images of the weighing query. Photos and PDFs are named by their URLs, and
 * not contained.
 */
export function archivedForecast(whole: WholeForecast, options: DetailOptions): object {
  const { weighing_images, forecast_images } = weighingData(whole.record);
  return { ...detailData(whole, options), weighing_images, forecast_images };
}
