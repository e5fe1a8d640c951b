import { describe, expect, test } from '@jest/globals';
import { reportWith } from '../testing/reports.ts';
import type { QueuedReport } from './queued-report.ts';
import { nextWork } from './send-order.ts';

const open = { id: 'a', size: 10 };
const sent = { id: 'b', size: 10, photoId: 'ph_b' };
const fault = { code: '42201', message: 'wrong', errors: [] };

describe('what is sent next', () => {
  test.each<[string, QueuedReport[], unknown]>([
    ['nothing', [], undefined],
    ['nothing of what was refused', [reportWith(1, { fault })], undefined],
    ['events up to one with a photo', [reportWith(1), reportWith(2), reportWith(3, { photos: [open] })], [1, 2]],
    ['the photo of the first', [reportWith(1, { photos: [sent, open] }), reportWith(2)], 'a'],
    ['events whose photos are sent', [reportWith(1, { photos: [sent] })], [1]],
    ['what follows one that was refused', [reportWith(1, { fault, photos: [open] }), reportWith(2)], [2]],
  ])('%s', (_what, reports, expected) => {
    const work = nextWork(reports);
    expect(work?.send === 'photo' ? work.photo.id : work?.reports.map(({ seq }) => seq)).toEqual(expected);
  });

  test('no more than a call takes', () => {
    const work = nextWork(
      Array.from({ length: 120 }, (_, index) => reportWith(index + 1)),
      50,
    );
    expect(work).toMatchObject({ send: 'events' });
    expect(work?.send === 'events' && work.reports.length).toBe(50);
  });
});
