import type { RawClient } from '../../raw-client.ts';
import type { GrownStage } from './grown-stage.ts';

/** Does one piece of work and waits for its response. @param at counts from 0 */
export type Send = (at: number) => Promise<void>;

/** A kind of operation that somebody or the platform performs. */
export interface Operation {
  readonly name: string;
  /** True when the platform goes on working behind the response: that belongs to the cost. */
  readonly settles: boolean;
  /** True when what is prepared changes something. */
  readonly prepares?: boolean;
  /** So many times fewer are measured, because each does so many things. */
  readonly share?: number;
  /** Makes what so many operations need; not measured. */
  prepare(stage: GrownStage, count: number): Promise<Send>;
}

let seed = 0;

/** A number that no other call of this run gives. */
export function nextSeed(): number {
  seed += 1;
  return seed;
}

/** Reads: each time with another path. */
export function reading(name: string, client: (stage: GrownStage) => RawClient, path: (stage: GrownStage) => string): Operation {
  return { name, settles: false, prepare: async (stage) => () => client(stage).send('GET', path(stage), null) };
}

/** Changes something behind the response, too. */
export function changing(name: string, prepare: Operation['prepare'], share = 1): Operation {
  return { name, settles: true, share, prepare };
}

/** Prepares once for each platform. */
export function once<T>(make: (stage: GrownStage) => Promise<T>): (stage: GrownStage) => Promise<T> {
  const made = new Map<GrownStage, Promise<T>>();
  return (stage) => {
    const known = made.get(stage) ?? make(stage);
    made.set(stage, known);
    return known;
  };
}

/** Page of any list of the API. */
interface Page {
  readonly next_cursor: string | null;
  readonly has_more?: boolean;
}

/** So many pages of 100 come before a deep one. */
const MOST_PAGES = 200;
const PAGE = 100;
const DEEP = 0.8;

/** A page far behind the first. @param entries that the list has for each parcel, about @param cursor name of the parameter that goes on */
export function deepPage(
  name: string,
  client: (stage: GrownStage) => RawClient,
  list: (stage: GrownStage) => string,
  entries: number,
  cursor = 'cursor',
): Operation {
  const place = once(async (stage: GrownStage): Promise<string> => {
    const path = list(stage);
    const join = path.includes('?') ? '&' : '?';
    const pages = Math.max(1, Math.min(MOST_PAGES, Math.floor((DEEP * entries * stage.parcels) / PAGE)));
    let at = path;
    for (let page = 0; page < pages; page += 1) {
      const { next_cursor: next, has_more: hasMore } = await client(stage).get<Page>(`${at}${at.includes('?') ? '&' : '?'}limit=${PAGE}`);
      if (next === null || hasMore === false) break;
      at = `${path}${join}${cursor}=${encodeURIComponent(next)}`;
    }
    return at;
  });
  return {
    name,
    settles: false,
    prepare: async (stage) => {
      const path = await place(stage);
      return () => client(stage).send('GET', path, null);
    },
  };
}
