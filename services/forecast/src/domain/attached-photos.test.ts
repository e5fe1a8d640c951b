import { describe, expect, test } from '@jest/globals';
import { withAttachedPhoto } from './attached-photos.ts';
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
