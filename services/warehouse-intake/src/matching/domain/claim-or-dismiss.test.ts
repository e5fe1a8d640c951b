import { describe, expect, test } from '@jest/globals';
import { claimOf, dismissalOf, dispatch } from '../../testing/intake-steps.ts';
import { acceptedForecast, intakeEvent, NOW } from '../../testing/samples.ts';
import { decideResolution, MAX_CLAIMED_NUMBERS } from './claim-or-dismiss.ts';
import { type ClaimableForecast, type Resolution, type ResolutionRequest, type ResolvableEvent, waitingNumberOf } from './resolution.ts';

const event = intakeEvent({ expressNo: 'sf 1234-5678' });
const waiting: ResolvableEvent = { event, waits: true, publishedTo: null, resolution: undefined };
const { trackingNumbers: _, ...forecast } = acceptedForecast();
const claimable: ClaimableForecast = { forecast, isCancelled: false, claimedNumbers: MAX_CLAIMED_NUMBERS - 1 };
const done = (request: ResolutionRequest): Resolution => ({ ...request, id: 'r1', resolvedAt: NOW, events: 2 });

describe('decideResolution', () => {
  const number = waitingNumberOf(event);

  test('carries out a claim for a live forecast of the warehouse, and any dismissal, of an event that waits', () => {
    expect(decideResolution(claimOf(event, 'FC1'), { event: waiting, forecast: claimable })).toEqual({ number, forecast });
    expect(decideResolution(dismissalOf(event), { event: waiting, forecast: undefined })).toEqual({ number, forecast: null });
  });

  test.each<[string, ClaimableForecast | undefined, string]>([
    ['that is not known', undefined, '40403'],
    ['of another warehouse', { ...claimable, forecast: { ...forecast, warehouseCode: 'WH2' } }, '40403'],
    [
      'of another warehouse that is cancelled',
      { ...claimable, forecast: { ...forecast, warehouseCode: 'WH2' }, isCancelled: true },
      '40403',
    ],
    ['that is cancelled', { ...claimable, isCancelled: true }, '40902'],
    ['for which as many numbers as may be are claimed', { ...claimable, claimedNumbers: MAX_CLAIMED_NUMBERS }, '40902'],
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
