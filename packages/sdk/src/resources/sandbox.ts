import type { ListenQuery, ListenResult, Simulation, WebhookEvent } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

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
