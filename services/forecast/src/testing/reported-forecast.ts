import { afterEach, beforeEach } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { EventPhoto } from '@parcelway/contracts/domain-events';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from './forecast-harness.ts';

/** A photo that was uploaded for an event. @param uploadedAt epoch milliseconds */
export const photo = (id: number, uploadedAt = START): EventPhoto => ({
  id,
  image_path: `photos/${id}`,
  image_url: `https://localhost/photos/${id}`,
  file_size: 10 * id,
  upload_time: isoInstant(uploadedAt),
});

/** Measurements of a parcel. */
export const size = (weight_kg: number) => ({ length_cm: 10, width_cm: 20.5, height_cm: 30, weight_kg });

/** The service with one forecast, PO-1, that a warehouse reports on. Each report is another event, a millisecond after the one before. */
export class ReportedForecast {
  readonly app: ForecastHarness;
  /** Number of the forecast that reports are on. */
  no: string;
  #serial = 0;

  constructor(app: ForecastHarness, no: string) {
    this.app = app;
    this.no = no;
  }

  /** What every report has. */
  from(over: object = {}) {
    this.#serial += 1;
    return {
      event_id: `we-${this.#serial}`,
      forecast_no: this.no,
      warehouse_code: 'WH1',
      express_no: null,
      occurred_at: isoInstant(START + this.#serial),
      ...over,
    };
  }

  weigh(weight: number, over: object = {}): Promise<void> {
    return this.app.deliver('warehouse.weighed', { ...this.from(over), ...size(weight), photos: [], ...over } as never);
  }

  dispatch(number: string, over: object = {}): Promise<void> {
    return this.app.deliver('warehouse.dispatched', {
      ...this.from(over),
      carrier_code: 'acme',
      tracking_number: number,
      ...over,
    } as never);
  }

  /** The parcel TRACK1 has reached its end. @param over the rest of the event, such as the number of another parcel */
  ended(over: object = {}): Promise<void> {
    return this.app.deliver('tracking.changed', {
      forecast_no: this.no,
      po_number: 'PO-1',
      tracking_number: 'TRACK1',
      previous_admin_status: 'In Transit',
      admin_status: 'Delivery Success',
      is_terminal: true,
      changed_at: isoInstant(START),
      ...over,
    } as never);
  }

  /** The published events of a type. */
  async announced(type: string): Promise<readonly DomainEvent[]> {
    return (await this.app.published()).filter((event) => event.type === type);
  }
}

/** A new one for each test. */
export function useReportedForecast(): () => ReportedForecast {
  let current: ReportedForecast;
  beforeEach(async () => {
    const app = await ForecastHarness.open();
    const items = [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1, tracking_number: 'AAAA' }];
    current = new ReportedForecast(app, (await app.submit(app.submission({ items }))).data.forecast_no);
  });
  afterEach(() => current.app.close());
  return () => current;
}
