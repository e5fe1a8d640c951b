import type { EventHandlers, EventOf } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { fileTokensIn, photoTokenOf } from '@parcelway/contracts/file-receipt';
import type { Clock } from '@parcelway/kernel/clock';
import type { NamedFiles } from '../retention/decide-files.ts';
import type { FileRetention } from '../retention/file-retention.ts';

export const GROUP = 'file';

export interface EventHandlersOptions {
  /** By which the URLs of files may be signed. */
  readonly fileSecrets: readonly string[];
  /** Notes which uploaded PDFs a forecast names. */
  readonly noteUses: (named: NamedFiles) => Promise<void>;
}

type ContentEvent = DomainEvent<'forecast.accepted'> | DomainEvent<'forecast.corrected'>;

/** Follows what accepted and corrected forecasts name. */
export function createEventHandlers({ fileSecrets, noteUses }: EventHandlersOptions): EventHandlers {
  const follow = ({ tenantid: tenantId, data }: ContentEvent): Promise<void> => noteUses(namedFiles(fileSecrets, tenantId, data));
  return { 'forecast.accepted': follow, 'forecast.corrected': follow };
}

type Linking = 'warehouse.weighed' | 'warehouse.photographed' | 'warehouse.exception';

type Content = EventOf<'forecast.accepted'>['data'];

/** The uploaded PDFs that a forecast names. @param secrets by which their URLs may be signed: of a URL that expires, each gives a token, and all but one lead to no file */
export function namedFiles(secrets: readonly string[], tenantId: string, data: Content): NamedFiles {
  const fieldsOf = new Map<string, string[]>();
  for (const field of ['shipping_label', 'shipping_note'] as const) {
    const url = data[field];
    for (const token of typeof url === 'string' ? fileTokensIn(secrets, url) : [])
      fieldsOf.set(token, [...(fieldsOf.get(token) ?? []), field]);
  }
  const files = [...fieldsOf].map(([token, fields]) => ({ token, fields }));
  return { tenantId, forecastNo: data.forecast_no, poNumber: data.po_number, version: data.version, files };
}

/** Notes what changes of the forecasts of a tenant, and what its files follow from: what it cancels, which images it has, and which reports are refused. */
export function useHandlers(retention: Pick<FileRetention, 'noteCancelled' | 'noteRefused' | 'noteImages'>, clock: Clock) {
  return {
    'forecast.report_refused': ({ tenantid: tenantId, data }) => {
      const { forecast_no: forecastNo, warehouse_code: warehouseCode, event_id: eventId, photos } = data;
      // Most reports have no photos, and so no link.
      if (photos.length === 0) return Promise.resolve();
      return retention.noteRefused({ tenantId, forecastNo, photos, report: { warehouseCode, eventId } }, clock.now());
    },
    'forecast.cancelled': ({ tenantid: tenantId, data }) => retention.noteCancelled(tenantId, data.forecast_no, clock.now()),
    'forecast.images_changed': ({ tenantid: tenantId, data: { forecast_no: forecastNo, revision, images } }) =>
      retention.noteImages({ tenantId, forecastNo, revision, images }, clock.now()),
  } satisfies EventHandlers;
}

/**
 * Ends files by the events of their forecasts, and notes which photos forecasts have. Subscribe it to the events of erased tenants too: photos belong to
 * warehouses, and nobody else knows those whose link or end is still on its way when their tenant is erased.
 */
export function retentionHandlers(
  retention: Pick<FileRetention, 'endFiles' | 'notePhotos'>,
  clock: Clock,
  isErased: (tenantId: string) => boolean,
) {
  const end = ({ type, tenantid: tenantId, data }: EventOf<'forecast.expired' | 'forecast.files_expired'>): Promise<void> => {
    const after = type === 'forecast.expired' ? 'deleted' : 'kept';
    const forecast = isErased(tenantId) ? 'erased' : after;
    return retention.endFiles({ tenantId, forecastNo: data.forecast_no, files: data.files, photos: data.photos, forecast }, clock.now());
  };
  const link = async ({ tenantid: tenantId, data }: EventOf<Linking>): Promise<void> => {
    const reported = 'photo' in data ? [data.photo] : data.photos;
    const photos = [...new Set(reported.map(({ image_url }) => photoTokenOf(image_url)).filter((token) => token !== undefined))];
    if (photos.length === 0) return;
    const links = { tenantId, forecastNo: data.forecast_no, photos };
    if (isErased(tenantId)) await retention.endFiles({ ...links, files: [], forecast: 'erased' }, clock.now());
    else await retention.notePhotos({ ...links, report: { warehouseCode: data.warehouse_code, eventId: data.event_id } });
  };
  return {
    'forecast.expired': end,
    'forecast.files_expired': end,
    'warehouse.weighed': link,
    'warehouse.photographed': link,
    'warehouse.exception': link,
  } satisfies EventHandlers;
}
