import { useState } from 'preact/hooks';
import { useWords } from '../../messages/language.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { EventType } from '../../parts/event-type.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { EventDeliveries } from './event-deliveries.tsx';
import { type FeedEvent, poNumberOf } from './feed-events.ts';

/** One event; where it was delivered and its body are set out on demand. */
export function EventItem({ event }: { readonly event: FeedEvent }) {
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
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t.events.hide : t.events.show}
        </button>
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
