import { archiveDay, deleteArchived } from '@parcelway/blobs/archive/archive';
import { archiveBatch } from '@parcelway/blobs/archive/archive-records';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { Platform } from '@parcelway/platform/service';
import { type DetailOptions, detailData, weighingData } from '../../lists/adapters/representations.ts';
import type { WholeForecast } from '../../store/domain/known-forecast.ts';
import type { ForecastReader } from '../../store/forecast-store.ts';
import { DAY_MS } from '../domain/retention.ts';
import { createExpiryTimer, type ExpiryTimer } from '../expiry-timer.ts';
import type { ForecastExpiry } from '../forecast-expiry.ts';
import type { TenantRetentions } from '../tenant-retention-store.ts';
import type { RetentionConfig } from './retention-config.ts';

/**
 * A forecast as the archive keeps it: what the API shows a merchant, with the images of the weighing query. Photos and PDFs are named by their URLs, and
 * not contained.
 */
function archivedForecast(whole: WholeForecast, options: DetailOptions): object {
  const { weighing_images, forecast_images } = weighingData(whole.record, options);
  return { ...detailData(whole, options), weighing_images, forecast_images };
}

export interface OpenRetentionOptions {
  readonly store: ForecastReader;
  readonly expiry: ForecastExpiry;
  readonly retentions: TenantRetentions;
  readonly lease: (name: string) => WorkLease;
  readonly detail: DetailOptions;
  readonly notify: () => void;
  /** True of a tenant that is erased. */
  readonly isErased: (tenantId: string) => boolean;
}

/** Objects of the archive that are deleted in one step: within seconds. */
const MAX_SWEPT = 250;

/** The retention of forecasts on a platform, not yet started. */
export function openRetention(
  platform: Platform,
  logger: Logger,
  { installation, hasArchive, archiveDays }: RetentionConfig,
  { store, expiry, retentions, lease, detail, notify, isErased }: OpenRetentionOptions,
): ExpiryTimer {
  const { clock, environment } = platform;
  const { metrics } = platform.telemetry.of('forecast');
  const archive = hasArchive ? platform.openArchive() : undefined;
  return createExpiryTimer({
    expiry,
    retentions,
    lease,
    reader: store,
    installation,
    environment,
    clock,
    notify,
    isErased,
    logger,
    metrics,
    archive:
      archive &&
      (async (tenantId, forecasts) => {
        const records = forecasts.map((whole) => ({ id: whole.record.forecastNo, data: archivedForecast(whole, detail) }));
        await archiveBatch(archive, { tenantId, kind: 'forecasts', records }, clock.now());
      }),
    sweepArchive:
      archive && archiveDays !== undefined
        ? () => deleteArchived(archive, { to: archiveDay(clock.now() - (archiveDays + 1) * DAY_MS) }, MAX_SWEPT)
        : undefined,
  });
}
