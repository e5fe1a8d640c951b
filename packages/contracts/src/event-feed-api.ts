import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { poNumber } from './po-number.ts';
import { cursorInQuery, INTEGER_TO_100_PATTERN, instant, integerInQuery } from './text.ts';
import { queryWarnings } from './warnings.ts';
import { DISABLED_EVENT_TYPE, feedEventTypes, standardEventTypes } from './webhook-event-types.ts';

/** Query of the feed. */
export const EventFeedQuery = object('EventFeedQuery', {
  after: cursorInQuery('`next_cursor` of the previous page'),
  since: Type.Optional(instant('Instead of `after`: events received at or after this instant; default: the oldest event that is kept')),
  event_types: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: `Only these, separated by commas, out of ${feedEventTypes.join(', ')}; default: ${standardEventTypes.join(', ')} and ${DISABLED_EVENT_TYPE}`,
    }),
  ),
  po_number: Type.Optional({ ...poNumber, description: 'Only events of this parcel; those that belong to no parcel are left out' }),
  limit: Type.Optional(integerInQuery(INTEGER_TO_100_PATTERN, 100, 'Page size, 1 to 100; default 100')),
});

const AnyWebhook = Type.Object(
  {
    type: Type.String(),
    timestamp: instant('When the event happened'),
    data: Type.Object({ event_id: Type.String() }, { $id: 'EventFeedItemData', additionalProperties: true }),
  },
  { $id: 'EventFeedItem', description: 'The event as a webhook carries it' },
);

/** A page of the feed, oldest first. */
export const EventFeed = object('EventFeed', {
  events: Type.Array(AnyWebhook),
  next_cursor: Type.String({ description: 'Never null: use it in the next request to read later events' }),
  has_more: Type.Boolean({ description: 'True when the next page has events already' }),
  warnings: queryWarnings,
});
export type EventFeed = Static<typeof EventFeed>;
