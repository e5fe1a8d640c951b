import { BATCH } from '../../capacity/works.ts';
import type { ProcessName } from './inputs.ts';
import { coresOf, type Stream, type StreamName } from './load.ts';

/** A visit of a stage, and what follows when it is done, all at once. */
export interface Visit {
  readonly process: ProcessName;
  readonly next: readonly Visit[];
}

/** A way through the stages. */
export interface Route {
  readonly first: Visit;
  /** Pieces that arrive together, as those of one call. */
  readonly together: number;
}

/** Visits one after the other, the last of which has `next` behind it. */
function chain(names: readonly ProcessName[], next: readonly Visit[] = []): Visit {
  const [process, ...rest] = names as [ProcessName, ...ProcessName[]];
  return { process, next: rest.length === 0 ? next : [chain(rest, next)] };
}

const store = 'mongo-1';
const log = 'kafka-1';
const one = (first: Visit): Route => ({ first, together: 1 });

const fromIntake: readonly ProcessName[] = ['warehouse-intake', store, log, 'forecast', store, log];
const toWebhook: readonly Visit[] = [chain(['webhook', store]), chain(['tracking'])];

/** The way of each stream: arrival, service, store, log, and so on to the webhook. */
export const routes: Readonly<Record<StreamName, Route>> = {
  submission: one(
    chain(
      ['gateway', 'redis', 'forecast', store, log],
      [
        chain(['warehouse-intake', store]),
        chain(['tracking', store]),
        chain(['webhook', store]),
        chain(['file', store, log, 'forecast', store]),
      ],
    ),
  ),
  eventInBatch: { first: chain(['gateway', 'redis', ...fromIntake], toWebhook), together: BATCH },
  eventOnKafka: one(chain([log, ...fromIntake], toWebhook)),
  pushChanged: one(chain(['gateway', 'tracking', store, log], [chain(['forecast', store]), chain(['webhook', store])])),
  pushSame: one(chain(['gateway', 'tracking', store])),
  upload: one(chain(['gateway', 'file', store])),
  download: one(chain(['gateway', 'file', store])),
  query: one(chain(['gateway', 'forecast', store])),
  trackingQuery: one(chain(['gateway', 'tracking', store])),
  poll: one(chain(['tracking', store])),
};

/** A visit, and whether it is of an event that the service consumes: then the partition decides which replica does it. */
export interface PlacedVisit {
  readonly visit: Visit;
  readonly isConsumed: boolean;
}

/** All visits of a way, in the order in which they are written. */
export function visitsOf(visit: Visit, isConsumed = false): readonly PlacedVisit[] {
  return [{ visit, isConsumed }, ...visit.next.flatMap((next) => visitsOf(next, visit.process === log))];
}

/** Share of a process's work that is of events which it consumes; 0 without work. A process does an equal part of a stream's work at each visit. */
export function consumedShareOf(process: ProcessName, streams: readonly Stream[]): number {
  const cores = coresOf(process, streams);
  const consumed = streams.reduce((sum, stream) => {
    const visits = visitsOf(routes[stream.name].first).filter(({ visit }) => visit.process === process);
    if (visits.length === 0) return sum;
    return sum + (coresOf(process, [stream]) * visits.filter(({ isConsumed }) => isConsumed).length) / visits.length;
  }, 0);
  return cores === 0 ? 0 : consumed / cores;
}
