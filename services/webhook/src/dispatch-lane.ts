import type { LeasedDelivery } from './domain/delivery.ts';
import type { Endpoint } from './domain/endpoint.ts';
import { INITIAL_LANE_LIMIT, limitAfter } from './domain/lane-limit.ts';

/** Leased deliveries that wait in memory for one endpoint, at most; the rest waits in the store. */
export const LANE_QUEUE_LIMIT = 64;

/** The deliveries of one endpoint in this process: what waits, what runs, and how many may run side by side. */
export class Lane {
  endpoint: Endpoint;
  readonly queue: LeasedDelivery[] = [];
  /** One controller per running attempt. */
  readonly running = new Set<AbortController>();
  /** True when the store probably holds more that is due than is queued here. */
  backlog = false;
  /** True while the lane stands in the line of lanes that can start an attempt. */
  inLine = false;
  /** Set when the endpoint was deleted: results are of no use to anyone. */
  removed = false;
  #limit = INITIAL_LANE_LIMIT;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  /** True when an attempt waits and one more may run. */
  get canStart(): boolean {
    return this.queue.length > 0 && this.running.size < this.#limit;
  }

  /** Free places in the queue. Behind an endpoint that fails or hangs few may wait: memory is shared by all lanes. */
  get room(): number {
    return Math.max(0, this.#places - this.queue.length);
  }

  get #places(): number {
    return this.#limit < INITIAL_LANE_LIMIT ? 2 * this.#limit : LANE_QUEUE_LIMIT;
  }

  /** Takes out of the queue, from its end, what it has no place for any more. */
  takeSurplus(): LeasedDelivery[] {
    return this.queue.splice(this.#places);
  }

  /** True when the queue is so short that more should be fetched from the store. */
  get isThirsty(): boolean {
    return this.backlog && this.queue.length <= this.#limit / 2;
  }

  /** True when nothing would be lost by forgetting this lane. */
  get isIdle(): boolean {
    return this.queue.length === 0 && this.running.size === 0 && !this.backlog && this.#limit >= INITIAL_LANE_LIMIT;
  }

  /** True when nothing waits or runs, whatever was learnt of the endpoint's speed. */
  get isEmpty(): boolean {
    return this.queue.length === 0 && this.running.size === 0;
  }

  /** Learns from a finished attempt. */
  adapt(outcome: 'succeeded' | 'failed' | 'hung'): void {
    this.#limit = limitAfter(this.#limit, outcome);
  }
}
