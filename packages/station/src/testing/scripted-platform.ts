import type { IntakeResult, WarehouseEvent } from '@parcelway/contracts/warehouse-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import type { SenderApi } from '../queue/sender.ts';

/** A platform as the sender sees it: stores each event_id once, and fails as a test says. */
export class ScriptedPlatform implements SenderApi {
  readonly stored: WarehouseEvent[] = [];
  readonly photos = new Map<string, string>();
  /** Milliseconds of the clock at which calls came. */
  readonly calls: number[] = [];
  /** Thrown by each call while it is set. */
  failure: ApiFailure | undefined;
  /** True for a platform whose responses are lost on their way. */
  losesResponses = false;
  rejects: (event: WarehouseEvent) => string | undefined = () => undefined;

  async uploadPhoto(_content: Blob, id: string) {
    this.#arrive();
    const photo_id = this.photos.get(id) ?? `ph_${this.photos.size + 1}`;
    this.photos.set(id, photo_id);
    this.#leave();
    return { photo_id };
  }

  async report(events: readonly WarehouseEvent[]): Promise<IntakeResult> {
    this.#arrive();
    const rejected: IntakeResult['rejected'] = [];
    events.forEach((event, index) => {
      const message = this.rejects(event);
      if (message !== undefined) rejected.push({ index, event_id: event.event_id, code: '42201', message, errors: [] });
      else if (!this.stored.some(({ event_id }) => event_id === event.event_id)) this.stored.push(event);
    });
    this.#leave();
    const warnings = events.flatMap((event, index) =>
      event.express_no === undefined
        ? []
        : [{ index, event_id: event.event_id, field: 'express_no', rule: 'no_forecast' as const, message: 'none' }],
    );
    return { accepted: 0, duplicates: 0, waiting: 0, rejected, warnings };
  }

  #arrive(): void {
    this.calls.push(Date.now());
    if (this.failure !== undefined) throw this.failure;
  }

  #leave(): void {
    if (this.losesResponses) throw new ApiFailure('offline');
  }
}
