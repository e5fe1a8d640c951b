import type { Content } from './content.ts';
import { EventFeed, type FollowOptions } from './event-feed.ts';
import type {
  EventFeedQuery,
  EventFeed as EventPage,
  ForecastImport,
  IntakeResult,
  ListenQuery,
  WarehouseEvent,
} from './generated/types.ts';
import type { CallOptions } from './options.ts';
import { parseUrl } from './parse-url.ts';
import { Resource } from './resource.ts';
import { sleep } from './retry.ts';

/*
 * The methods that do more than call their route. All others are made from resources.json.
 */

const OPENABLE = /^\/(files|photos)\/([^/]+)$/;

export abstract class FilesByHand extends Resource {
  /**
   * Opens a PDF or a photo.
   * @param url `url` of an upload, `marketplace_label` or `packing_slip` of a forecast, or `image_url` of an image, as the platform gave it; behind that of a
   * label may stand `?copies=quantity`
   */
  async open(url: string, options?: CallOptions): Promise<Content> {
    const { pathname, origin, searchParams } = parseUrl(url) ?? new URL('about:blank');
    const [, kind, name = ''] = OPENABLE.exec(pathname) ?? [];
    if (kind === undefined)
      throw new TypeError(`url must be the URL of a file or photo, unchanged from a response of the platform; ${url} is not`);
    const path = { name: decodeURIComponent(name) };
    const copies = searchParams.get('copies');
    return kind === 'files'
      ? this.caller.call('openFile', { path, query: copies === null ? {} : { copies: copies as 'quantity' } }, options, origin)
      : this.caller.call('openPhoto', { path }, options, origin);
  }
}

const FIRST_LOOK_MS = 250;
const LOOK_EVERY_MS = 2000;
const WAIT_MS = 600_000;

/** How an import is waited for. */
export interface WaitOptions extends CallOptions {
  /** Longest wait, milliseconds; default 10 minutes. */
  readonly waitMs?: number;
  /** Called with each look at the import. */
  readonly onProgress?: (progress: ForecastImport) => void;
}

export abstract class ImportsByHand extends Resource {
  /**
   * Waits until an import has finished; its `state` says how.
   * @throws Error when it still runs after `waitMs`: it goes on, and can be waited for again
   */
  async waitUntilDone(importId: string, { waitMs = WAIT_MS, onProgress, ...options }: WaitOptions = {}): Promise<ForecastImport> {
    const end = Date.now() + waitMs;
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(LOOK_EVERY_MS, pauseMs * 2)) {
      const progress = await this.caller.call('getImport', { path: { import_id: importId } }, options);
      onProgress?.(progress);
      if (progress.state !== 'running') return progress;
      if (Date.now() + pauseMs > end)
        throw new Error(`The import ${importId} still runs after ${Math.round(waitMs / 1000)} s; wait for it again`);
      await sleep(pauseMs, options.signal);
    }
  }
}

export abstract class WarehouseIntakeByHand extends Resource {
  /**
   * Reports one event, or up to 500. A bad event is rejected alone and listed in `rejected`; an `event_id` sent again has
   * no second effect.
   */
  reportEvents(events: WarehouseEvent | readonly WarehouseEvent[], options?: CallOptions): Promise<IntakeResult> {
    const body = Array.isArray(events) ? { events: events as readonly WarehouseEvent[] } : (events as WarehouseEvent);
    return this.caller.call('reportEvents', { body }, options);
  }
}

/** What to listen to. */
export type ListenRequest = ListenQuery;

/** Which events, and whether to wait for more. */
export type EventListQuery = EventFeedQuery & Pick<FollowOptions, 'follow' | 'pollMs' | 'maxOutageMs'>;

export abstract class EventsByHand extends Resource {
  /**
   * The feed, oldest first. `for await (const event of parcelway.events.list({ after, follow: true }))` goes on until
   * `options.signal` ends it; without `follow` it ends with the newest event.
   */
  list(query: EventListQuery = {}, options: CallOptions = {}): EventFeed {
    const { follow, pollMs, maxOutageMs, after, since, event_types, po_number, limit } = query;
    // `since` names where to begin, and only that: a cursor takes its place.
    const fetch = (cursor: string | undefined): Promise<EventPage> => {
      const from = cursor === undefined ? { since } : { after: cursor };
      return this.caller.call('listEvents', { query: { ...from, event_types, po_number, limit } }, options);
    };
    return new EventFeed(fetch, after, { follow, pollMs, maxOutageMs, signal: options.signal, onRetry: options.onRetry });
  }
}
