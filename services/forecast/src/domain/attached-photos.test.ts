import { describe, expect, test } from '@jest/globals';
import { ownImage, withAttachedPhoto, withOwnImage, withoutOwnImage } from './attached-photos.ts';
import type { AttachedPhoto } from './forecast.ts';

describe('one photo in several events', () => {
  const image = (imageType: 'package' | 'product', imageOrder: number, over: Partial<AttachedPhoto> = {}): AttachedPhoto => ({
    id: 7,
    path: 'p7',
    url: 'u7',
    sizeByte: 7,
    uploadTime: 't7',
    uploadTimeMs: 1,
    imageType,
    imageOrder,
    ...over,
  });
  const images = (...list: readonly AttachedPhoto[]) => list.reduce<readonly AttachedPhoto[]>(withAttachedPhoto, []);

  test('is one image when the same is reported again', () => {
    expect(images(image('package', 1), image('package', 1))).toEqual([image('package', 1)]);
  });

  test('is an image of its own, with an id of its own, for each type and order', () => {
    const shown = images(image('package', 1), image('product', 1), image('package', 0), image('product', 1));
    expect(shown.map(({ imageType, imageOrder }) => `${imageType} ${imageOrder}`).sort()).toEqual(['package 0', 'package 1', 'product 1']);
    expect(shown.map(({ imageOrder }) => imageOrder)).toEqual([0, 1, 1]);
    const ids = shown.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toContain(7);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    expect(shown.every(({ path }) => path === 'p7')).toBe(true);
  });

  test('leaves a photo that has the id of such an image an image of its own', () => {
    const [, second] = images(image('package', 1), image('product', 1)).toSorted((a, b) => a.id - b.id);
    const other = image('package', 1, { id: second?.id ?? 0, path: 'another' });
    const shown = images(image('package', 1), image('product', 1), other);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(3);
  });
});

describe("a tenant's own image", () => {
  const own = (id: number, path: string, imageOrder = 0): AttachedPhoto => ({
    id,
    path,
    url: `https://h/${path}`,
    sizeByte: 1,
    uploadTime: 't',
    uploadTimeMs: 1,
    imageType: 'product',
    imageOrder,
  });

  test('is placed by its order among those of the warehouse, and is shown as its own', () => {
    const shown = withOwnImage(withAttachedPhoto(withAttachedPhoto([], own(1, 'a', 5)), own(2, 'b', 1)), own(3, 'c', 3));
    expect(shown.map(({ id, source }) => [id, source])).toEqual([
      [2, undefined],
      [3, 'tenant'],
      [1, undefined],
    ]);
  });

  test('stays one image: the same again changes nothing, another type or order moves it', () => {
    const once = withOwnImage([], own(3, 'c', 3));
    expect(withOwnImage(once, own(3, 'c', 3))).toBe(once);
    const moved = withOwnImage(once, { ...own(3, 'c', 9), imageType: 'document' });
    expect(moved).toEqual([{ ...own(3, 'c', 9), imageType: 'document', source: 'tenant' }]);
  });

  test('has an id of its own when a photo of the warehouse has the same', () => {
    const [first, second] = withOwnImage(withAttachedPhoto([], own(3, 'theirs', 0)), own(3, 'c', 1));
    expect(first?.id).toBe(3);
    expect(second?.id).not.toBe(3);
    expect(ownImage([first, second] as AttachedPhoto[], 'c')).toBe(second);
    expect(ownImage([first, second] as AttachedPhoto[], 'theirs')).toBeUndefined();
  });

  test('is removed by its id; an image of the warehouse is not', () => {
    const shown = withOwnImage(withAttachedPhoto([], own(1, 'a')), own(2, 'b'));
    expect(withoutOwnImage(shown, 1)).toBe(shown);
    expect(withoutOwnImage(shown, 9)).toBe(shown);
    expect(withoutOwnImage(shown, 2).map(({ id }) => id)).toEqual([1]);
  });
});
