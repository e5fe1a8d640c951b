import { describe, expect, test } from '@jest/globals';
import { acceptedEntry, type DirectoryEntry } from '../../expected/domain/directory.ts';
import type { EventDetail, IntakeEvent } from '../../expected/domain/event.ts';
import { endsStay } from '../../expected/domain/match.ts';
import { MAX_CLOCK_DIFFERENCE_MS, type NamingEvent, namedForecastOf } from '../../expected/domain/named-number.ts';
import { imagesOf } from '../../expected/domain/parcel-reports.ts';
import { type Resolution, type ResolutionRequest, waitingNumberOf } from '../../expected/domain/resolution.ts';
import { claimOf, dismissalOf, dispatch } from '../../testing/intake-steps.ts';
import { acceptedForecast, intakeEvent, NOW, PHOTO } from '../../testing/samples.ts';
import { decideResolution, MAX_CLAIMED_NUMBERS, type ResolvableEvent } from './claim-or-dismiss.ts';

const event = intakeEvent({ expressNo: 'sf 1234-5678' });

const waiting: ResolvableEvent = { event, waits: true, publishedTo: null, resolution: undefined };

const { trackingNumbers: _, poNumber: __, ...forecast } = acceptedForecast();

/** A forecast with so many claimed numbers, of both kinds. */
const withClaims = (claims: number): DirectoryEntry => {
  const assigned = Array.from({ length: claims - 1 }, (_one, index) => ({ number: `N${index}`, by: '1' }));
  return { ...acceptedEntry(undefined, acceptedForecast()), assigned, aliases: [{ number: 'FC9', by: '1' }] };
};

const claimable = withClaims(MAX_CLAIMED_NUMBERS - 1);

const done = (request: ResolutionRequest): Resolution => ({ ...request, id: 'r1', resolvedAt: NOW, events: 2 });

describe('decideResolution', () => {
  const number = waitingNumberOf(event);

  test('carries out a claim for a live forecast of the warehouse, and any dismissal, of an event that waits', () => {
    expect(decideResolution(claimOf(event, 'FC1'), { event: waiting, forecast: claimable })).toEqual({ number, forecast });
    expect(decideResolution(dismissalOf(event), { event: waiting, forecast: undefined })).toEqual({ number, forecast: null });
  });

  test.each<[string, DirectoryEntry | undefined, string]>([
    ['that is not known', undefined, '40403'],
    ['of which only the cancellation is known', { ...claimable, forecast: null, cancelledAt: NOW }, '40403'],
    ['of another warehouse', { ...claimable, forecast: { ...forecast, warehouseCode: 'WH2' } }, '40403'],
    [
      'of another warehouse that is cancelled',
      { ...claimable, forecast: { ...forecast, warehouseCode: 'WH2' }, cancelledAt: NOW },
      '40403',
    ],
    ['that is cancelled', { ...claimable, cancelledAt: NOW }, '40902'],
    ['for which as many numbers as may be are claimed', withClaims(MAX_CLAIMED_NUMBERS), '40902'],
  ])('refuses a claim for a forecast %s', (_what, given, code) => {
    expect(() => decideResolution(claimOf(event, 'FC1'), { event: waiting, forecast: given })).toThrow(expect.objectContaining({ code }));
  });

  test('refuses a dispatch for a type 1 forecast, and takes the arrival', () => {
    const replenishment = { ...claimable, forecast: { ...forecast, forecastType: 1 } };
    const left = intakeEvent({ detail: dispatch });
    const decide = (given: ResolvableEvent) => decideResolution(claimOf(given.event, 'FC1'), { event: given, forecast: replenishment });
    expect(() => decide({ ...waiting, event: left })).toThrow(expect.objectContaining({ code: '40902' }));
    expect(decide(waiting)).toMatchObject({ forecast: replenishment.forecast });
  });

  test('distinguishes a repeat from another request, whoever asks; the state of the forecast no longer matters', () => {
    const [claim, dismissal] = [done(claimOf(event, 'FC1')), done(dismissalOf(event))];
    const after = (resolution: Resolution) => ({ event: { ...waiting, waits: false, resolution }, forecast: undefined });
    expect(decideResolution({ ...claimOf(event, 'FC1'), resolvedBy: 'key_2' }, after(claim))).toEqual({ repeated: claim });
    expect(decideResolution(dismissalOf(event), after(dismissal))).toEqual({ repeated: dismissal });
    const refuses = (request: ResolutionRequest, resolution: Resolution, data: object): void =>
      expect(() => decideResolution(request, after(resolution))).toThrow(expect.objectContaining({ code: '40902', data }));
    refuses(claimOf(event, 'FC2'), claim, { action: 'claim', forecast_no: 'FC1' });
    refuses(dismissalOf(event), claim, { action: 'claim', forecast_no: 'FC1' });
    const { reason } = dismissalOf(event) as ResolutionRequest & { readonly reason: string };
    refuses(claimOf(event, 'FC1'), dismissal, { action: 'dismiss', reason });
    refuses({ ...dismissalOf(event), reason: 'Other' } as ResolutionRequest, dismissal, { action: 'dismiss', reason });
  });

  test('refuses what does not exist, and what was applied by itself', () => {
    expect(() => decideResolution(dismissalOf(event), { event: undefined, forecast: undefined })).toThrow(
      expect.objectContaining({ code: '40403' }),
    );
    for (const publishedTo of ['FC1', null]) {
      const applied = { ...waiting, waits: false, publishedTo };
      expect(() => decideResolution(claimOf(event, 'FC1'), { event: applied, forecast: claimable })).toThrow(
        expect.objectContaining({ code: '40902', data: publishedTo === null ? {} : { forecast_no: publishedTo } }),
      );
    }
  });
});

describe('waitingNumberOf', () => {
  test('is the scanned number as it is compared, or the forecast number that was named', () => {
    expect(waitingNumberOf(event)).toEqual({ warehouseCode: 'WH1', kind: 'scanned', number: 'SF12345678' });
    const named = intakeEvent({ forecastNo: 'FC9', expressNo: 'SF12345678' });
    expect(waitingNumberOf(named)).toEqual({ warehouseCode: 'WH1', kind: 'named', number: 'FC9' });
  });
});

const naming = (id: string, receivedAt: number, given: Partial<NamingEvent> = {}): NamingEvent => ({
  warehouseCode: 'WH1',
  number: 'N1',
  forecastNo: 'FC1',
  id,
  receivedAt,
  publishedAt: receivedAt,
  ...given,
});

const waits = (id: string, receivedAt: number, given: Parameters<typeof intakeEvent>[0] = {}) => ({
  event: intakeEvent({ forecastNo: null, expressNo: 'n-1', ...given }),
  waiting: 'ambiguous' as const,
  id,
  receivedAt,
});

describe('an ambiguous event', () => {
  test.each<[string, Parameters<typeof namedForecastOf>[0], NamingEvent, string | undefined]>([
    ['before the naming one is named by it', waits('b', 5), naming('a', 6), 'FC1'],
    ['before it in the same call, too', waits('b', 5), naming('c', 5), 'FC1'],
    ['after it in the same call is not', waits('c', 5), naming('b', 5), undefined],
    ['after one in the same call that had waited is', waits('c', 5), naming('b', 5, { publishedAt: 9 }), 'FC1'],
    ['by a clock that is ahead is', waits('c', 5 + MAX_CLOCK_DIFFERENCE_MS - 1), naming('b', 5), 'FC1'],
    ['that came later is not', waits('c', 5 + MAX_CLOCK_DIFFERENCE_MS), naming('b', 5), undefined],
    ['under another number is not', waits('b', 5, { expressNo: 'N2' }), naming('z', 9), undefined],
    ['at another warehouse is not', waits('b', 5, { warehouseCode: 'WH2' }), naming('z', 9), undefined],
    ['that names a forecast itself is not', waits('b', 5, { forecastNo: 'FC9' }), naming('z', 9), undefined],
    ['that waits for something else is not', { ...waits('b', 5), waiting: 'no_forecast' }, naming('z', 9), undefined],
    ['that does not wait is not', { ...waits('b', 5), waiting: undefined }, naming('z', 9), undefined],
  ])('%s', (_what, event, named, forecastNo) => expect(namedForecastOf(event, [named])).toBe(forecastNo));
});

test.each<[EventDetail, ofType1: boolean, ofType2: boolean]>([
  [{ type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD1' }, true, true],
  [{ type: 'put_away' }, true, false],
  [{ type: 'arrival' }, false, false],
  [{ type: 'processing' }, false, false],
])('%j ends the stay of a parcel by the type of its forecast', (detail, ...expected) => {
  expect([1, 2].map((forecastType) => endsStay(intakeEvent({ detail }), acceptedForecast({ forecastType })))).toEqual(expected);
});

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
