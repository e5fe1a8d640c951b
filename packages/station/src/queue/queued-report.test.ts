import { expect, test } from '@jest/globals';
import { reportWith } from '../testing/reports.ts';
import { eventOf } from './queued-report.ts';

const sent = { id: 'b', size: 10, photoId: 'ph_b' };

test('an event names its photos as its type does', () => {
  const weighing = { type: 'weighing', forecast_no: 'FC1', weight_kg: 1, length_cm: 1, width_cm: 1, height_cm: 1 } as const;
  expect(eventOf(reportWith(1, { draft: weighing, photos: [sent] }))).toMatchObject({ photo_ids: ['ph_b'] });
  expect(eventOf(reportWith(1, { draft: weighing }))).not.toHaveProperty('photo_ids');
  const photo = { type: 'photo', forecast_no: 'FC1', image_type: 'package' } as const;
  expect(eventOf(reportWith(1, { draft: photo, photos: [sent] }))).toMatchObject({ photo_id: 'ph_b' });
});
