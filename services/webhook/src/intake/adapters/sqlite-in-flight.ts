import type { SqliteDatabase } from '@parcelway/sqlite/database';

/** A delivery that is `sending`. */
export interface InFlightDelivery {
  readonly position: number;
  readonly tenantId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  /** Epoch milliseconds. */
  readonly leaseUntil: number;
}

/** Positions that the mark may lag behind: as many more rows are looked at when the file is opened. */
const MARK_LAG = 1000;

const QUEUE = "UPDATE deliveries SET status = 'pending' WHERE position = ? AND delivery_id = ? AND status = 'sending'";
/** Not beyond the positions that were given out: those of deliveries whose making was undone are given out again. */
const MARK = "UPDATE deliveries_mark SET position = min(?, (SELECT seq FROM sqlite_sequence WHERE name = ? || 'deliveries'))";
const RECLAIM = `UPDATE deliveries SET status = 'pending', available_at = next_attempt_at
  WHERE position >= (SELECT position FROM deliveries_mark) AND status = 'sending'`;

/**
 * The deliveries that were leased to this process as they were made and have no result yet. In the file their status is `sending`, for
 * everyone else it is `pending`: most succeed within milliseconds, and until then they are not in the indexes of waiting deliveries, so
 * a delivery costs no index entry that is deleted at once. Until then, what those indexes would show is read from here.
 *
 * A delivery whose lease runs out becomes `pending`. Those of a process that was killed do when the file is opened again; a mark in the file,
 * written with what is written anyway, says where to begin looking for them.
 */
export class InFlightDeliveries {
  readonly #db: SqliteDatabase;
  /** By their ids, in the order of their positions. */
  readonly #deliveries = new Map<string, InFlightDelivery>();
  /** Of the last one that was added. */
  #last = 0;
  #marked = 0;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** Adds a delivery that is being written. When that is undone, {@link remove} it. */
  add(delivery: InFlightDelivery): void {
    this.#deliveries.set(delivery.deliveryId, delivery);
    this.#last = delivery.position;
  }

  /** Forgets deliveries: they have another status by now, durably. */
  remove(deliveryIds: Iterable<string>): void {
    for (const deliveryId of deliveryIds) this.#deliveries.delete(deliveryId);
  }

  at(tenantId: string, endpointId: string): readonly InFlightDelivery[] {
    return this.#where((one) => one.endpointId === endpointId && one.tenantId === tenantId);
  }

  expired(now: number): readonly InFlightDelivery[] {
    return this.#where(({ leaseUntil }) => leaseUntil <= now);
  }

  /** Those at endpoints of which this is true; asked once for each. */
  atEndpoints(isWanted: (tenantId: string, endpointId: string) => boolean): readonly InFlightDelivery[] {
    const responses = new Map<string, boolean>();
    return this.#where(({ tenantId, endpointId }) => {
      const known = responses.get(endpointId) ?? isWanted(tenantId, endpointId);
      responses.set(endpointId, known);
      return known;
    });
  }

  /** Puts deliveries into the queue. Only inside a transaction; {@link remove} them when it is durable. */
  queue(deliveries: readonly InFlightDelivery[]): void {
    for (const { position, deliveryId } of deliveries) this.#db.run(QUEUE, position, deliveryId);
  }

  /** Moves the mark when it has fallen behind. Only inside a transaction that writes anyway. */
  keepMark(): void {
    const oldest = this.#deliveries.values().next().value?.position ?? this.#last;
    if (oldest < this.#marked + MARK_LAG) return;
    this.#db.run(MARK, oldest, this.#db.prefix);
    this.#marked = oldest;
  }

  /** Makes due what a former process had in flight. @returns how many */
  reclaim(): Promise<number> {
    return this.#db.transaction(() => this.#db.run(RECLAIM).changes);
  }

  #where(isWanted: (delivery: InFlightDelivery) => boolean): readonly InFlightDelivery[] {
    const found: InFlightDelivery[] = [];
    for (const delivery of this.#deliveries.values()) if (isWanted(delivery)) found.push(delivery);
    return found;
  }
}
