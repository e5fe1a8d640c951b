import type { EventHandlers, EventOf } from '@parcelway/bus/bus';
import { fileTokenOf } from '@parcelway/contracts/file-receipt';
import type { Clock } from '@parcelway/kernel/clock';
import type { FileRetention } from '../ports.ts';

type Content = EventOf<'forecast.accepted'>['data'];

/** Tokens of the uploaded PDFs that a forecast names. */
export function filesOf({ shipping_label, shipping_note }: Pick<Content, 'shipping_label' | 'shipping_note'>): string[] {
  const urls = [shipping_label, shipping_note].filter((url) => typeof url === 'string');
  return [...new Set(urls.map(fileTokenOf).filter((token) => token !== undefined))];
}

/** Ends files by the events of their forecasts. */
export function retentionHandlers(retention: Pick<FileRetention, 'endFiles'>, clock: Clock) {
  const end = ({ tenantid: tenantId, data }: EventOf<'forecast.expired' | 'forecast.files_expired'>): Promise<void> =>
    retention.endFiles({ tenantId, forecastNo: data.forecast_no, files: data.files, photos: data.photos }, clock.now());
  return { 'forecast.expired': end, 'forecast.files_expired': end } satisfies EventHandlers;
}
