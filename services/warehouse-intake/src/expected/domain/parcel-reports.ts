import type { EventDetail, IntakeEvent, ReceivedItem } from './event.ts';

/** What a report says of a parcel, as far as it is read again once the report is applied. */
export type ReportKind = 'measurement' | 'photo' | 'exception' | 'count' | 'hold' | 'release';

type DetailOf<T extends EventDetail['type']> = Extract<EventDetail, { readonly type: T }>;

export type ReportOf<T extends EventDetail['type']> = IntakeEvent & { readonly detail: DetailOf<T> };

/** What its warehouse has reported of a forecast. */
export interface ParcelReports {
  /** Latest first. */
  readonly measurements: readonly ReportOf<'weighing'>[];
  /** Ascending by image order, each image once. */
  readonly photos: readonly ReportOf<'photo'>[];
  /** Latest first. */
  readonly exceptions: readonly ReportOf<'exception'>[];
  /** The latest count; undefined when nothing was counted. */
  readonly received: readonly ReceivedItem[] | undefined;
}

/** The kind that a report is found by; null of one that says nothing but the status. */
export function reportKindOf({ detail }: IntakeEvent): ReportKind | null {
  switch (detail.type) {
    case 'weighing':
      return 'measurement';
    case 'photo':
    case 'exception':
    case 'hold':
    case 'release':
      return detail.type;
    case 'arrival':
    case 'processing':
    case 'put_away':
      return detail.receivedItems === undefined ? null : 'count';
    case 'dispatch':
      return null;
  }
}

export function reportsOf<T extends EventDetail['type']>(type: T, events: readonly IntakeEvent[]): ReportOf<T>[] {
  return events.filter((event): event is ReportOf<T> => event.detail.type === type);
}

/** Photos in the order in which they are shown. The same photo with the same type and order is one image, whichever reports name it. */
export function imagesOf(events: readonly IntakeEvent[]): ReportOf<'photo'>[] {
  const images = new Map<string, ReportOf<'photo'>>();
  for (const event of reportsOf('photo', events)) {
    const { photo, imageType, imageOrder } = event.detail;
    const key = `${photo.image_path} ${imageType} ${imageOrder}`;
    if (!images.has(key)) images.set(key, event);
  }
  return [...images.values()].sort((a, b) => a.detail.imageOrder - b.detail.imageOrder || a.detail.photo.id - b.detail.photo.id);
}

/** The quantities of a count. @param event the latest count, if there is one */
export function receivedOf(event: IntakeEvent | undefined): readonly ReceivedItem[] | undefined {
  return event !== undefined && 'receivedItems' in event.detail ? event.detail.receivedItems : undefined;
}

/**
 * True when a hold lasts at an instant.
 * @param hold the latest hold up to that instant, @param release the latest release up to it; of the two at one instant the release is later
 */
export function isHeldBy(hold: IntakeEvent | undefined, release: IntakeEvent | undefined): hold is IntakeEvent {
  if (hold === undefined) return false;
  return release === undefined || Date.parse(release.occurredAt) < Date.parse(hold.occurredAt);
}
