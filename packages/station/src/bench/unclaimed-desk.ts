import type { ResolutionResult, WaitingEventList } from '@parcelway/contracts/unclaimed-api';
import type { WarehouseForecastDetail, WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { type Choice, pageOf, type UnclaimedAsk, type UnclaimedResponse } from '../domain/unclaimed.ts';
import { afterFailure } from '../queue/offline-retry.ts';

/** The calls that unclaimed parcels need. Each throws ApiFailure. */
export interface UnclaimedCalls {
  readonly listUnclaimed: (cursor: string | undefined) => Promise<WaitingEventList>;
  readonly claim: (id: string, forecastNo: string) => Promise<ResolutionResult>;
  readonly dismiss: (id: string, reason: string) => Promise<ResolutionResult>;
  readonly lookUp: (scan: string) => Promise<WarehouseLookup>;
  readonly read: (forecastNo: string) => Promise<WarehouseForecastDetail>;
}

/** Candidates of a parcel that are shown. Another one is found by scanning its number. */
const MAX_CHOICES = 20;

/** Asks the platform. A failure is a response, too. */
export async function unclaimedResponse(calls: UnclaimedCalls, ask: UnclaimedAsk): Promise<UnclaimedResponse> {
  try {
    return await responseOf(calls, ask);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const { code, detail, data } = error;
    return { of: 'failure', code, message: detail, data, offline: afterFailure(error) === 'retry' };
  }
}

async function responseOf(calls: UnclaimedCalls, ask: UnclaimedAsk): Promise<UnclaimedResponse> {
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
