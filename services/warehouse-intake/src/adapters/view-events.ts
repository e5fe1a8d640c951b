import type { EventHandlers } from '@parcelway/bus/bus';
import {
  type FollowViewDeps,
  followContent,
  followDispatch,
  followDocuments,
  followHold,
  followProgress,
  followViewCancellation,
} from '../follow-view.ts';

/** What the view makes of each event. */
export function viewHandlers(deps: FollowViewDeps) {
  const progress = (event: Parameters<typeof followProgress>[1]): Promise<void> => followProgress(deps, event);
  return {
    'forecast.accepted': (event) => followContent(deps, event),
    'forecast.corrected': (event) => followContent(deps, event),
    'forecast.cancelled': (event) => followViewCancellation(deps, event),
    'forecast.dispatched': (event) => followDispatch(deps, event),
    'parcel.arrived': progress,
    'parcel.weighed': progress,
    'parcel.photographed': progress,
    'parcel.processed': progress,
    'parcel.put_away': progress,
    'parcel.completed': progress,
    'parcel.exception': progress,
    'parcel.held': (event) => followHold(deps, event),
    'parcel.released': (event) => followHold(deps, event),
    'documents.generated': (event) => followDocuments(deps, event),
  } satisfies EventHandlers;
}
