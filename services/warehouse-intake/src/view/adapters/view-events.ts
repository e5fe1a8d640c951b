import type { EventHandlers } from '@parcelway/bus/bus';
import {
  type FollowViewOptions,
  followContent,
  followDispatch,
  followDocuments,
  followHold,
  followProgress,
  followViewCancellation,
} from '../follow-view.ts';

/** What the view makes of each event. */
export function viewHandlers(options: FollowViewOptions) {
  const progress = (event: Parameters<typeof followProgress>[1]): Promise<void> => followProgress(options, event);
  return {
    'forecast.accepted': (event) => followContent(options, event),
    'forecast.corrected': (event) => followContent(options, event),
    'forecast.cancelled': (event) => followViewCancellation(options, event),
    'forecast.dispatched': (event) => followDispatch(options, event),
    'parcel.arrived': progress,
    'parcel.weighed': progress,
    'parcel.photographed': progress,
    'parcel.processed': progress,
    'parcel.put_away': progress,
    'parcel.completed': progress,
    'parcel.exception': progress,
    'parcel.held': (event) => followHold(options, event),
    'parcel.released': (event) => followHold(options, event),
    'documents.generated': (event) => followDocuments(options, event),
  } satisfies EventHandlers;
}
