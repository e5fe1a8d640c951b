import type { Caller } from '../caller.ts';
import type { Upload } from '../content.ts';
import type { UploadedPhoto } from '../generated/file-api.ts';
import type { IntakeResult, WarehouseEvent } from '../generated/warehouse-api.ts';
import type { CallOptions } from '../options.ts';

/** What a warehouse reports, with a key of its own. */
export class WarehouseIntake {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Reports one event, or up to 500. A bad event is rejected by itself and stands in `rejected`; an `event_id` sent again has
   * no second effect.
   */
  reportEvents(events: WarehouseEvent | readonly WarehouseEvent[], options?: CallOptions): Promise<IntakeResult> {
    const body = Array.isArray(events) ? { events: events as readonly WarehouseEvent[] } : (events as WarehouseEvent);
    return this.#caller.call('reportEvents', { body }, options);
  }

  /** Uploads a JPEG, PNG or WebP of at most 10 MB; its `photo_id` goes into an event. */
  uploadPhoto(photo: Upload, options?: CallOptions): Promise<UploadedPhoto> {
    return this.#caller.call('uploadPhoto', { body: photo }, options);
  }
}
