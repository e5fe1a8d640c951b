import type { Upload } from '../content.ts';
import type {
  IntakeResult,
  ListenQuery,
  ListenResult,
  Simulation,
  UnclaimedClaim,
  UnclaimedDismissal,
  WaitingEventQuery,
  WarehouseEvent,
  WarehouseForecastQuery,
  WebhookEvent,
} from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** What a warehouse reports and sees, with a key of its own. */
export class WarehouseIntake extends Resource {
  /** The warehouse of the key: its `code` is the `warehouse_code` of its events. */
  self(options?: CallOptions) {
    return this.caller.call('getOwnWarehouse', {}, options);
  }

  /**
   * Reports one event, or up to 500. A bad event is rejected alone and listed in `rejected`; an `event_id` sent again has
   * no second effect.
   */
  reportEvents(events: WarehouseEvent | readonly WarehouseEvent[], options?: CallOptions): Promise<IntakeResult> {
    const body = Array.isArray(events) ? { events: events as readonly WarehouseEvent[] } : (events as WarehouseEvent);
    return this.caller.call('reportEvents', { body }, options);
  }

  /** What became of a reported event: applied, waiting, dismissed or rejected. */
  event(eventId: string, options?: CallOptions) {
    return this.caller.call('getEventOutcome', { path: { event_id: eventId } }, options);
  }

  /** A page of the events that wait for their forecast, oldest first. */
  listUnclaimed(query: WaitingEventQuery = {}, options?: CallOptions) {
    return this.caller.call('listUnclaimed', { query }, options);
  }

  /** Claims a parcel for a forecast: all events that wait under its number are applied to it. @param id event_id of one of them */
  claim(id: string, claim: UnclaimedClaim, options?: CallOptions) {
    return this.caller.call('claimUnclaimed', { path: { id }, body: claim }, options);
  }

  /** Dismisses a parcel: no event under its number waits any more. @param id event_id of one of them */
  dismiss(id: string, dismissal: UnclaimedDismissal, options?: CallOptions) {
    return this.caller.call('dismissUnclaimed', { path: { id }, body: dismissal }, options);
  }

  /**
   * A page of the forecasts of the warehouse, latest change first. Ask with its `next_cursor` while `has_more`; then again, with the
   * last one, for every change, whatever `status` and the days ask for: forget what no longer fits them.
   */
  forecasts(query: WarehouseForecastQuery = {}, options?: CallOptions) {
    return this.caller.call('listWarehouseForecasts', { query }, options);
  }

  /** A forecast of the warehouse. Rejects with 40403 when it has none of this number. */
  forecast(forecastNo: string, options?: CallOptions) {
    return this.caller.call('getWarehouseForecast', { path: { forecast_no: forecastNo } }, options);
  }

  /** The forecasts that a scan may mean, each with the reason. */
  lookUp(scan: string, options?: CallOptions) {
    return this.caller.call('lookUpScan', { query: { scan } }, options);
  }

  /** The carrier codes that connections name: those to offer for a dispatch. */
  carriers(options?: CallOptions) {
    return this.caller.call('listWarehouseCarriers', {}, options);
  }

  /** Uploads a JPEG, PNG or WebP of at most 10 MB; its `photo_id` goes into an event. */
  uploadPhoto(photo: Upload, options?: CallOptions) {
    return this.caller.call('uploadPhoto', { body: photo }, options);
  }
}

/** What to listen to. */
export interface ListenRequest extends Omit<ListenQuery, 'event_types'> {
  /** Only these types; default all, or those of the endpoint. */
  readonly event_types?: readonly WebhookEvent['type'][];
}

/** What the sandbox has for those who build an integration. Production rejects with 40402. */
export class Sandbox extends Resource {
  /** Plays the warehouse or the carrier for one forecast. */
  simulate(simulation: Simulation, options?: CallOptions) {
    return this.caller.call('simulate', { body: simulation }, options);
  }

  /** Signed webhooks as a response; waits up to `wait` seconds for some. Ask again with `after: next_cursor`. */
  listen(query: ListenRequest = {}, options?: CallOptions): Promise<ListenResult> {
    const { event_types, ...rest } = query;
    const types = event_types === undefined ? {} : { event_types: event_types.join(',') };
    return this.caller.call('listen', { query: { ...rest, ...types } }, options);
  }
}
