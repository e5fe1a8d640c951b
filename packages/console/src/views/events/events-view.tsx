import type { EventFeed } from '@parcelway/contracts/event-feed-api';
import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { feedEventTypes } from '@parcelway/contracts/webhook-event-types';
import { type ApiFailure, asFailure } from '@parcelway/page/api/failure';
import { useLoad } from '@parcelway/page/data/use-load';
import { fill } from '@parcelway/page/languages';
import { Badge, Button, FailureNotice, PageHeading, Skeleton } from '@parcelway/page/parts/view';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { askedTypes, deliveryOfEvent, ENDPOINTS, STANDARD_TYPES } from '../../api/webhooks.ts';
import { useWords } from '../../messages/language.ts';
import { SearchInput, Select } from '../../parts/forms.tsx';
import { Empty } from '../../parts/lists.tsx';
import { CodeBlock, deliveryTone, EventType, Time } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { type FeedEvent, poNumberOf, sinceOf, withNewer } from './feed-events.ts';

interface Feed {
  /** Newest first; undefined until the first page is there. */
  readonly events: EventFeed['events'] | undefined;
  readonly hasMore: boolean;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  /** Reads on from where reading ended; at the end of the feed that finds what has come since. */
  readonly more: () => void;
}

interface State extends Omit<Feed, 'more'> {
  readonly cursor: string | undefined;
}

const NOTHING: State = { events: undefined, cursor: undefined, hasMore: false, failure: undefined, loading: true };
/** Pages that are read in one go. The feed begins with the oldest event, and the newest one is wanted first. */
const PAGES_AT_ONCE = 20;

/** Reads the feed to its end, at most {@link PAGES_AT_ONCE} pages in one go. @param key a new value starts over */
function useFeed(key: string, read: (after: string | undefined, signal: AbortSignal) => Promise<EventFeed>): Feed {
  const [state, setState] = useState(NOTHING);
  const stop = useRef<AbortController | undefined>(undefined);
  const latest = useRef(read);
  latest.current = read;

  const load = useCallback(async (from: string | undefined, before: EventFeed['events']) => {
    stop.current?.abort();
    const asked = new AbortController();
    stop.current = asked;
    const { signal } = asked;
    setState((state) => ({ ...(from === undefined ? NOTHING : state), loading: true, failure: undefined }));
    let cursor = from;
    let events = before;
    try {
      for (let pages = 1; pages <= PAGES_AT_ONCE; pages += 1) {
        const page = await latest.current(cursor, signal);
        if (signal.aborted) return;
        cursor = page.next_cursor;
        events = withNewer(page.events, events);
        const loading = page.has_more && pages < PAGES_AT_ONCE;
        setState({ events, cursor, hasMore: page.has_more, failure: undefined, loading });
        if (!loading) return;
      }
    } catch (error) {
      if (!signal.aborted) setState((state) => ({ ...state, failure: asFailure(error), loading: false }));
    }
  }, []);
  useEffect(() => {
    void load(undefined, []);
    return () => stop.current?.abort();
  }, [key]);

  const { cursor, ...shown } = state;
  return { ...shown, more: () => void load(cursor, state.events ?? []) };
}

type Arrival = readonly [endpoint: WebhookEndpoint, delivery: Delivery];

function EventDeliveries({ eventId }: { readonly eventId: string }) {
  const { t } = useWords();
  const client = useClient();
  const { data, failure, reload } = useLoad<readonly Arrival[]>(eventId, async (signal) => {
    const { endpoints } = await client.call<{ endpoints: WebhookEndpoint[] }>(ENDPOINTS, { signal });
    const found = await Promise.all(
      endpoints.map(async (endpoint) => [endpoint, await deliveryOfEvent(client, endpoint.endpoint_id, eventId, signal)] as const),
    );
    return found.flatMap(([endpoint, delivery]) => (delivery === undefined ? [] : [[endpoint, delivery] as const]));
  });
  if (failure !== undefined) return <FailureNotice failure={failure} onRetry={reload} />;
  if (data === undefined) return <Skeleton rows={1} />;
  if (data.length === 0) return <p class="faint">{t.events.nowhere}</p>;
  return (
    <ul class="event-deliveries" aria-label={t.events.deliveries}>
      {data.map(([{ endpoint_id, url }, { delivery_id, status }]) => (
        <li key={delivery_id} class="links">
          <a href={hrefOf({ view: 'delivery', endpointId: endpoint_id, deliveryId: delivery_id })}>{url}</a>
          <Badge tone={deliveryTone(status)}>{t.deliveries.statuses[status] ?? status}</Badge>
        </li>
      ))}
    </ul>
  );
}

function EventItem({ event }: { readonly event: FeedEvent }) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const poNumber = poNumberOf(event);
  return (
    <li>
      <div class="event-line">
        <EventType type={event.type} />
        {poNumber !== undefined && <a href={hrefOf({ view: 'parcel', poNumber })}>{poNumber}</a>}
        <span class="event-time faint">
          <Time at={event.timestamp} />
        </span>
        <Button aria-expanded={open} onClick={() => setOpen(!open)} text={open ? t.events.hide : t.events.show} />
      </div>
      {open && (
        <>
          <EventDeliveries eventId={event.data.event_id} />
          <CodeBlock text={JSON.stringify(event)} label={event.data.event_id} />
        </>
      )}
    </li>
  );
}

interface EventsViewProps {
  /** Only this type, or those that the feed of the API has unasked; empty for all. */
  readonly type: string;
  /** How far back; empty for a day. */
  readonly range: string;
  /** Only events of this parcel; empty for all. */
  readonly poNumber: string;
}

function Filters({ type, range, poNumber }: EventsViewProps) {
  const { t } = useWords();
  const [typed, setTyped] = useState(poNumber);
  return (
    <search class="filters">
      <Select
        label={t.events.range}
        value={range === '' ? 'day' : range}
        options={t.events.ranges}
        onValue={(value) => goTo({ view: 'events', type, range: value, poNumber })}
      />
      <Select
        label={t.events.type}
        value={type}
        options={feedEventTypes.map((each) => [each, each])}
        onValue={(value) => goTo({ view: 'events', type: value, range, poNumber })}
      >
        <option value="">{`${t.events.type}: ${t.common.all}`}</option>
        <option value={STANDARD_TYPES}>{`${t.events.type}: ${t.events.standard}`}</option>
      </Select>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          goTo({ view: 'events', type, range, poNumber: typed.trim() });
        }}
      >
        <SearchInput label={t.fields.po_number} value={typed} onValue={setTyped} />
        <button type="submit">{t.common.filter}</button>
      </form>
      <span class="faint">{t.events.order}</span>
    </search>
  );
}

/** The feed: every event of the merchant, the one that was received last first. */
export function EventsView({ type, range, poNumber }: EventsViewProps) {
  const { t } = useWords();
  const client = useClient();
  const feed = useFeed(`${type} ${range} ${poNumber}`, (after, signal) => {
    const from = after === undefined ? { since: sinceOf(range, Date.now()) } : { after };
    return client.call<EventFeed>('/open/v1/events', {
      query: { ...from, event_types: askedTypes(type), po_number: poNumber, limit: 100 },
      signal,
    });
  });
  return (
    <>
      <PageHeading title={t.nav.events} />
      <p class="lead">{t.events.lead}</p>
      <Filters type={type} range={range} poNumber={poNumber} />
      <FailureNotice failure={feed.failure} onRetry={feed.more} />
      {feed.events !== undefined && (
        <div class="feed-end">
          <Button aria-disabled={feed.loading} onClick={feed.more} text={feed.loading ? t.common.loading : t.events.newer} />
          {feed.hasMore && !feed.loading && <p class="notice">{fill(t.events.notAll, feed.events.length)}</p>}
        </div>
      )}
      {feed.events === undefined && feed.failure === undefined && <Skeleton rows={6} />}
      {feed.events?.length === 0 && <Empty title={t.events.empty} hint={t.events.emptyHint} />}
      {feed.events !== undefined && feed.events.length > 0 && (
        <ul class="events card">
          {feed.events.map((event) => (
            <EventItem key={event.data.event_id} event={event} />
          ))}
        </ul>
      )}
    </>
  );
}
