import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { ApiFailure, asFailure } from '@parcelway/page/api/failure';
import type { WarehouseCalls } from '../api/warehouse.ts';
import type { Candidate } from '../domain/bench.ts';
import { type Choice, pageOf, type UnclaimedAsk, type UnclaimedResponse } from '../domain/unclaimed.ts';
import type { ExpectedParcels } from '../expected/expected-parcels.ts';
import { afterFailure } from '../queue/sender.ts';

interface ScanMatches {
  readonly candidates: readonly Candidate[];
  readonly hasMore: boolean;
  readonly offline: boolean;
}

/**
 * Asks the platform what a scan may mean; while the platform does not respond, the parcels that this device knows.
 * @throws ApiFailure when the platform refuses the call
 */
export async function lookUpScan(lookUp: WarehouseCalls['lookUp'], expected: ExpectedParcels, scan: string): Promise<ScanMatches> {
  try {
    const { candidates, has_more } = await lookUp(scan);
    return { candidates, hasMore: has_more, offline: false };
  } catch (error) {
    if (afterFailure(asFailure(error)) !== 'retry') throw error;
    return { candidates: expected.lookUp(scan), hasMore: false, offline: true };
  }
}

const MAX_CHOICES = 20;

export async function unclaimedResponse(calls: WarehouseCalls, ask: UnclaimedAsk): Promise<UnclaimedResponse> {
  try {
    return await responseOf(calls, ask);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const { code, detail, data } = error;
    return { of: 'failure', code, message: detail, data, offline: afterFailure(error) === 'retry' };
  }
}

async function responseOf(calls: WarehouseCalls, ask: UnclaimedAsk): Promise<UnclaimedResponse> {
  switch (ask.ask) {
    case 'page':
      return { of: 'page', page: pageOf(await calls.listUnclaimed(ask.cursors.at(-1)), ask.cursors) };
    case 'candidates': {
      const { candidates } = ask.parcel;
      const read = await Promise.all(candidates.slice(0, MAX_CHOICES).map((forecastNo) => known(calls.read(forecastNo))));
      return { of: 'choices', choices: read.flat(), hasMore: candidates.length > MAX_CHOICES };
    }
    case 'lookup': {
      const { candidates, has_more } = await calls.lookUp(ask.scan);
      return {
        of: 'choices',
        choices: candidates.map(({ forecast, matched_by }) => ({ forecast, matchedBy: matched_by })),
        hasMore: has_more,
      };
    }
    case 'read':
      return { of: 'forecast', forecast: await calls.read(ask.forecastNo) };
    case 'claim':
      return { of: 'done', events: (await calls.claim(ask.id, ask.forecastNo)).events };
    case 'dismiss':
      return { of: 'done', events: (await calls.dismiss(ask.id, ask.reason)).events };
  }
}

/** A candidate; none when it is not for this warehouse any more. */
async function known(reading: Promise<WarehouseForecastDetail>): Promise<Choice[]> {
  try {
    return [{ forecast: await reading }];
  } catch (error) {
    if (error instanceof ApiFailure && error.code === '40403') return [];
    throw error;
  }
}
