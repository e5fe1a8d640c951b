import { useState } from 'preact/hooks';
import { askedTypes, feedTypes, STANDARD_TYPES } from '../../api/event-types.ts';
import { listEvents } from '../../api/webhooks.ts';
import { useWords } from '../../messages/language.ts';
import { Empty } from '../../parts/empty.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { EventItem } from './event-item.tsx';
import type { FeedEvent } from './feed-events.ts';
import { sinceOf } from './ranges.ts';
import { useFeed } from './use-feed.ts';

/** What the view needs. */
export interface EventsViewProps {
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
      <select
        aria-label={t.events.range}
        value={range === '' ? 'day' : range}
        onChange={(event) => goTo({ view: 'events', type, range: event.currentTarget.value, poNumber })}
      >
        {Object.entries(t.events.ranges).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={t.events.type}
        value={type}
        onChange={(event) => goTo({ view: 'events', type: event.currentTarget.value, range, poNumber })}
      >
        <option value="">{`${t.events.type}: ${t.common.all}`}</option>
        <option value={STANDARD_TYPES}>{`${t.events.type}: ${t.events.standard}`}</option>
        {feedTypes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          goTo({ view: 'events', type, range, poNumber: typed.trim() });
        }}
      >
        <input
          type="search"
          aria-label={t.events.poNumber}
          placeholder={t.events.poNumber}
          maxLength={64}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit">{t.common.filter}</button>
      </form>
      <span class="faint">{t.events.order}</span>
    </search>
  );
}

function Events({ events }: { readonly events: readonly FeedEvent[] }) {
  const { t } = useWords();
  if (events.length === 0) return <Empty title={t.events.empty} hint={t.events.emptyHint} />;
  return (
    <ul class="events card">
      {events.map((event) => (
        <EventItem key={event.data.event_id} event={event} />
      ))}
    </ul>
  );
}

/** The feed: every event of the merchant, the one that was received last first. */
export function EventsView({ type, range, poNumber }: EventsViewProps) {
  const { t } = useWords();
  const client = useClient();
  const feed = useFeed(`${type} ${range} ${poNumber}`, (after, signal) => {
    const from = after === undefined ? { since: sinceOf(range, Date.now()) } : { after };
    return listEvents(client, { ...from, event_types: askedTypes(type), po_number: poNumber === '' ? undefined : poNumber }, signal);
  });
  return (
    <>
      <PageHeading title={t.events.title} />
      <p class="lead">{t.events.lead}</p>
      <Filters type={type} range={range} poNumber={poNumber} />
      <FailureNotice failure={feed.failure} onRetry={feed.more} />
      {feed.events !== undefined && (
        <div class="feed-end">
          <button type="button" aria-disabled={feed.loading} onClick={feed.more}>
            {feed.loading ? t.common.loading : t.events.newer}
          </button>
          {feed.hasMore && !feed.loading && <p class="notice">{t.events.notAll(feed.events.length)}</p>}
        </div>
      )}
      {feed.events === undefined ? feed.failure === undefined && <Skeleton rows={6} /> : <Events events={feed.events} />}
    </>
  );
}
