import { describe, expect, test } from '@jest/globals';
import { acceptedForecast, intakeEvent, NOW } from '../../testing/samples.ts';
import { decideWaiting, releasableNumbers } from './decide-waiting.ts';
import { acceptedEntry, listedEntry } from './directory.ts';
import type { IntakeEvent } from './event.ts';
import type { ListedForecast } from './match-batch.ts';

const dispatch = { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' } as const;
const listed = (forecastNo: string): ListedForecast =>
  listedEntry(acceptedEntry(undefined, acceptedForecast({ forecastNo, trackingNumbers: ['N1'] }))) as ListedForecast;
const scan = (given: Partial<IntakeEvent> = {}): IntakeEvent => intakeEvent({ expressNo: 'N1', ...given });

describe('decideWaiting', () => {
  test('publishes what finds its forecast, says what that changes, and gives others their new reason', () => {
    const events = [scan(), scan({ detail: dispatch }), scan({ forecastNo: 'FC9' })];
    const candidates = events.map((event, stored) => ({ event, stored, waiting: 'ambiguous' as const }));
    const { changes, publications } = decideWaiting(candidates, [listed('FC1')], NOW);
    expect(changes).toMatchObject([
      { stored: 0, becomes: { forecast: { forecastNo: 'FC1' }, claims: true, ends: false } },
      { stored: 1, becomes: { claims: false, ends: true } },
      { stored: 2, becomes: { reason: 'no_forecast' } },
    ]);
    expect(publications.map(({ stored }) => stored)).toEqual([0, 1]);
  });

  test('publishes no event twice that one before it in the batch releases, and changes nothing that stays', () => {
    const naming = intakeEvent({ forecastNo: 'FC2', expressNo: 'N1' });
    const candidates = [naming, scan(), scan({ warehouseCode: 'WH2' })].map((event, stored) => ({
      event,
      stored,
      waiting: stored === 0 ? ('no_forecast' as const) : stored === 1 ? ('ambiguous' as const) : ('no_forecast' as const),
    }));
    const { changes, publications } = decideWaiting(candidates, [listed('FC1'), listed('FC2')], NOW);
    expect(publications.map(({ stored }) => stored)).toEqual([1, 0]);
    expect(changes.map(({ stored }) => stored)).toEqual([0, 1]);
  });
});

describe('releasableNumbers', () => {
  test('are those scanned with a forecast number that somebody declares at the warehouse, each once', () => {
    const naming = scan({ forecastNo: 'FC1' });
    const others = [scan(), scan({ forecastNo: 'FC1', warehouseCode: 'WH2' }), scan({ forecastNo: 'FC1', expressNo: 'N2' })];
    expect(releasableNumbers([naming, naming, ...others], [listed('FC1')])).toEqual([{ warehouseCode: 'WH1', number: 'N1' }]);
  });
});
