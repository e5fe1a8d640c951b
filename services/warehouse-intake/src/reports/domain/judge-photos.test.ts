import { describe, expect, test } from '@jest/globals';
import { context, refusalOf } from '../../testing/judging.ts';
import { PHOTO, photoId, report, weighing } from '../../testing/samples.ts';
import { judge } from './judge.ts';

describe('judge', () => {
  test('takes a weighing, its photos from their receipts, each once', () => {
    const raw = weighing({ photo_ids: [photoId(), photoId({ id: 8 }), photoId()] });
    expect(judge(raw, context)).toMatchObject({
      event: {
        forecastNo: null,
        detail: { type: 'weighing', lengthCm: 30, widthCm: 20.5, heightCm: 10, weightKg: 1.25, photos: [PHOTO, { ...PHOTO, id: 8 }] },
      },
    });
  });

  test('takes a weighing without photos', () => {
    expect(judge(weighing(), context)).toMatchObject({ event: { detail: { photos: [] } } });
  });

  test.each([
    [undefined, 0],
    [3, 3],
  ])('takes a photo with image_order %p', (given, imageOrder) => {
    const raw = report({
      type: 'photo',
      photo_id: photoId(),
      image_type: 'package',
      ...(given === undefined ? {} : { image_order: given }),
    });
    expect(judge(raw, context)).toMatchObject({ event: { detail: { type: 'photo', photo: PHOTO, imageType: 'package', imageOrder } } });
  });

  test.each([
    ['unknown', 'ph_abc.0123456789012345678901'],
    ['no photo_id at all', '../../etc/passwd'],
    ["another warehouse's", photoId({ warehouse_code: 'WH2' })],
    ["the other environment's", photoId({ environment: 'production' })],
    ['a forged', photoId().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
  ])('refuses a photo that is %s, with one response for all', (_name, id) => {
    expect(refusalOf(report({ type: 'photo', photo_id: id, image_type: 'package' }))).toMatchObject({
      code: '40403',
      message: 'photo_id is not the photo_id of a photo that this warehouse uploaded',
    });
    expect(refusalOf(report({ type: 'exception', reason: 'damaged', photo_ids: [photoId(), id] })).errors).toMatchObject([
      { field: 'photo_ids[1]', rule: 'unknown_photo' },
    ]);
    expect(refusalOf(weighing({ photo_ids: [photoId(), id] }))).toMatchObject({
      code: '40403',
      message: 'photo_ids[1] is not the photo_id of a photo that this warehouse uploaded',
    });
  });

  test('holds photos against the warehouse that a trusted channel names', () => {
    const raw = weighing({ warehouse_code: 'WH2', photo_ids: [photoId()] });
    expect(refusalOf(raw, { warehouseCode: null }).code).toBe('40403');
  });
});
