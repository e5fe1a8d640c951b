import { describe, expect, test } from '@jest/globals';
import { storedText } from '../../expected/domain/event.ts';
import { intakeEvent } from '../../testing/samples.ts';
import type { StoredEvent } from './mongo-event-log.ts';
import { consequencesOf } from './mongo-published-event.ts';

function stored(
  given: Pick<StoredEvent, 'published_to' | 'claims_number' | 'ends_stay' | 'unfinished_since'>,
  forecastNo: string | null,
  expressNo: string,
): StoredEvent {
  const event = intakeEvent({ forecastNo, expressNo });
  return { _id: event.eventId, warehouse_code: 'WH1', event_id: event.eventId, received_at: 5, event: storedText(event), ...given };
}

describe('what published events change in the directory', () => {
  test('is one set for numbers that are claimed once each', () => {
    const done = [
      stored({ published_to: 'FC1', claims_number: true }, null, 'n-1'),
      stored({ published_to: 'FC2', claims_number: true, ends_stay: true, unfinished_since: 7 }, 'FC2', 'N2'),
      stored({ published_to: 'FC3', ends_stay: true }, 'FC3', 'N3'),
    ];
    expect(consequencesOf(done)).toEqual([
      {
        claims: [
          { warehouseCode: 'WH1', number: 'N1', forecastNo: 'FC1' },
          { warehouseCode: 'WH1', number: 'N2', forecastNo: 'FC2' },
        ],
        named: [{ warehouseCode: 'WH1', number: 'N2', forecastNo: 'FC2', id: done[1]?._id, receivedAt: 5, publishedAt: 7 }],
        ended: ['FC2', 'FC3'],
      },
    ]);
  });

  test('has the end of a stay before the next claim of its number', () => {
    const done = [
      stored({ published_to: 'FC1', claims_number: true, ends_stay: true }, 'FC1', 'N1'),
      stored({ published_to: 'FC2', claims_number: true }, null, 'N1'),
    ];
    expect(consequencesOf(done).map(({ claims, ended }) => [claims.map((claim) => claim.forecastNo), ended])).toEqual([
      [['FC1'], ['FC1']],
      [['FC2'], []],
    ]);
  });
});
