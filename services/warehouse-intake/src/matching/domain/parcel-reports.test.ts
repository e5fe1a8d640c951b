import { describe, expect, test } from '@jest/globals';
import { intakeEvent, PHOTO } from '../../testing/samples.ts';
import type { IntakeEvent } from './event.ts';
import { imagesOf, isHeldBy } from './parcel-reports.ts';

describe('images', () => {
  const photo = (id: number, imageOrder: number, imageType: 'package' | 'product' = 'package'): IntakeEvent =>
    intakeEvent({ detail: { type: 'photo', photo: { ...PHOTO, id, image_path: `photos/WH1/${id}.jpg` }, imageType, imageOrder } });

  test('come by their order, then by their id', () => {
    const events = [photo(3, 2), photo(2, 1), photo(1, 2)];
    expect(imagesOf(events).map(({ detail }) => detail.photo.id)).toEqual([2, 1, 3]);
  });

  test('are one when photo, type and order are the same', () => {
    const events = [photo(1, 1), photo(1, 1), photo(1, 2), photo(1, 1, 'product')];
    expect(imagesOf(events).map(({ eventId }) => eventId)).toEqual([events[0], events[3], events[2]].map((event) => event?.eventId));
  });
});

describe('a hold', () => {
  const at = (type: 'hold' | 'release', occurredAt: string): IntakeEvent =>
    intakeEvent({ occurredAt, detail: type === 'hold' ? { type, reason: null } : { type } });

  test('lasts until a release at its time or later', () => {
    const hold = at('hold', '2026-11-21T09:00:00+08:00');
    expect(isHeldBy(undefined, undefined)).toBe(false);
    expect(isHeldBy(undefined, at('release', '2026-11-21T01:00:00Z'))).toBe(false);
    expect(isHeldBy(hold, undefined)).toBe(true);
    expect(isHeldBy(hold, at('release', '2026-11-21T00:59:59Z'))).toBe(true);
    expect(isHeldBy(hold, at('release', '2026-11-21T01:00:00Z'))).toBe(false);
    expect(isHeldBy(hold, at('release', '2026-11-21T01:00:01Z'))).toBe(false);
  });
});
