import { describe, expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { isoInstant } from '@parcelway/kernel/clock';
import type { AttachedPhoto } from '../../store/domain/forecast.ts';
import type { KnownForecast } from '../../store/domain/known-forecast.ts';
import { photo, record } from '../../testing/samples.ts';
import { ownImage, withAttachedPhoto, withOwnImage } from './attached-photos.ts';
import { decideImageAddition, decideImageRemoval } from './decide-images.ts';

const DAY_MS = 86_400_000;

const change = { now: 5000, traceparent: 'trace' };

const token = (letter: string): string => letter.repeat(22);

const image = (letter: string, over: Partial<AttachedPhoto> = {}): AttachedPhoto => ({
  ...photo(letter.charCodeAt(0), {
    image_path: `photo/${letter}`,
    image_url: `https://h.example/photos/${token(letter)}.jpg`,
    upload_time: isoInstant(1000),
  }),
  image_type: 'product',
  image_order: 0,
  ...over,
});

function knownWith(
  attachedPhotos: readonly AttachedPhoto[],
  over: { status?: 1 | 5 | 6 | 7; imagesRevision?: number } = {},
): KnownForecast {
  const { status = 1, imagesRevision } = over;
  const before = record('F1');
  const progress = { ...before.progress, attachedPhotos, ...(imagesRevision !== undefined && { imagesRevision }) };
  return { record: { ...before, status, progress }, version: 3, isShown: true, applied: new Set() };
}

test('an image is added, with a message that names all own images', () => {
  const known = knownWith([image('a', { source: 'tenant' }), image('w')], { status: 5, imagesRevision: 4 });
  const { writes, image: added } = decideImageAddition(known, image('b', { image_order: 1 }), change);
  expect(added).toEqual(image('b', { image_order: 1, source: 'tenant' }));
  expect(writes).toMatchObject([
    {
      known,
      updatedAt: 5000,
      state: {
        status: 5,
        progress: { imagesRevision: 5, attachedPhotos: [{ image_path: 'photo/a' }, { image_path: 'photo/w' }, { image_path: 'photo/b' }] },
      },
      messages: [
        { message: { type: 'forecast.images_changed', data: { revision: 5, images: [token('a'), token('b')] } }, traceparent: 'trace' },
      ],
    },
  ]);
  expect(writes[0]).not.toHaveProperty('content');
});

test('images of a completed forecast do not begin the time anew for which it is kept', () => {
  const known = knownWith([image('a', { source: 'tenant' })], { status: forecastStatuses.COMPLETED });
  const { updatedAt } = known.record;
  expect(updatedAt).not.toBe(change.now);
  expect(decideImageAddition(known, image('b'), change).writes).toMatchObject([{ updatedAt }]);
  expect(decideImageRemoval(known, 97, change).writes).toMatchObject([{ updatedAt }]);
});

test('the same image again changes nothing, however old it is', () => {
  const known = knownWith([image('a', { source: 'tenant' })]);
  const { writes, image: same } = decideImageAddition(known, image('a'), { ...change, now: 99 * DAY_MS });
  expect([writes, same]).toEqual([[], image('a', { source: 'tenant' })]);
});

test('an image can be added for 30 days', () => {
  const at = (now: number) => () => decideImageAddition(knownWith([]), image('a'), { ...change, now });
  expect(at(999 + 30 * DAY_MS)().writes).toHaveLength(1);
  const data = { errors: [{ field: 'image_id', rule: 'expired', message: expect.stringContaining('30 days ago') }] };
  expect(at(1000 + 30 * DAY_MS)).toThrow(expect.objectContaining({ code: '42201', data }));
});

test('a forecast has 20 own images at most, besides those of the warehouse', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRST'];
  const full = knownWith([...letters.map((letter) => image(letter, { source: 'tenant' })), image('w')]);
  expect(() => decideImageAddition(full, image('z'), change)).toThrow(expect.objectContaining({ code: '40902' }));
  expect(decideImageAddition(full, image('A', { image_order: 7 }), change).writes).toHaveLength(1);
});

test('an own image is removed, and no other', () => {
  const known = knownWith([image('w'), image('a', { source: 'tenant' })]);
  const { writes, image: removed } = decideImageRemoval(known, 97, change);
  expect(removed.image_path).toBe('photo/a');
  expect(writes).toMatchObject([
    {
      state: { progress: { attachedPhotos: [{ image_path: 'photo/w' }] } },
      messages: [{ message: { data: { revision: 1, images: [] } } }],
    },
  ]);
  for (const id of [119, 1]) expect(() => decideImageRemoval(known, id, change)).toThrow(expect.objectContaining({ code: '40403' }));
});

test('images of a cancelled forecast stay as they are, and those of none are not found', () => {
  const cancelled = knownWith([image('a', { source: 'tenant' })], { status: forecastStatuses.CANCELLED });
  const refusal = expect.objectContaining({ code: '40902', data: { status: 7, status_name: 'CANCELLED' } });
  expect(() => decideImageAddition(cancelled, image('b'), change)).toThrow(refusal);
  expect(() => decideImageRemoval(cancelled, 97, change)).toThrow(refusal);
  expect(() => decideImageAddition(undefined, image('b'), change)).toThrow(expect.objectContaining({ code: '40401' }));
  expect(() => decideImageRemoval(undefined, 1, change)).toThrow(expect.objectContaining({ code: '40401' }));
});

describe('one photo in several events', () => {
  const image = (image_type: 'package' | 'product', image_order: number, over: Partial<AttachedPhoto> = {}): AttachedPhoto => ({
    ...photo(7),
    image_type,
    image_order,
    ...over,
  });
  const images = (...list: readonly AttachedPhoto[]) => list.reduce<readonly AttachedPhoto[]>(withAttachedPhoto, []);

  test('is an image of its own, with an id of its own, for each type and order', () => {
    const shown = images(image('package', 1), image('product', 1), image('package', 0), image('product', 1));
    expect(shown.map(({ image_type, image_order }) => `${image_type} ${image_order}`).sort()).toEqual([
      'package 0',
      'package 1',
      'product 1',
    ]);
    expect(shown.map(({ image_order }) => image_order)).toEqual([0, 1, 1]);
    expect(images(image('package', 1, { id: 9, image_path: 'p9' }), image('product', 1)).map(({ id }) => id)).toEqual([7, 9]);
    const ids = shown.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toContain(7);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    expect(shown.every(({ image_path }) => image_path === 'p7')).toBe(true);
  });

  test('leaves a photo that has the id of such an image an image of its own', () => {
    const [, second] = images(image('package', 1), image('product', 1)).toSorted((a, b) => a.id - b.id);
    const other = image('package', 1, { id: second?.id ?? 0, image_path: 'another' });
    const shown = images(image('package', 1), image('product', 1), other);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(3);
  });
});

describe("a tenant's own image", () => {
  const own = (id: number, image_path: string, image_order = 0): AttachedPhoto => ({
    ...photo(id, { image_path }),
    image_type: 'product',
    image_order,
  });

  test('has an id of its own when a photo of the warehouse has the same', () => {
    const [first, second] = withOwnImage(withAttachedPhoto([], own(3, 'theirs', 0)), own(3, 'c', 1));
    expect(first?.id).toBe(3);
    expect(second?.id).not.toBe(3);
    expect(ownImage([first, second] as AttachedPhoto[], 'c')).toBe(second);
    expect(ownImage([first, second] as AttachedPhoto[], 'theirs')).toBeUndefined();
  });
});
