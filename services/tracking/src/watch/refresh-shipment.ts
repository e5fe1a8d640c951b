import type { Clock } from '@parcelway/kernel/clock';
import type { ParcelFact } from './domain/facts.ts';
import { digestNodes, oldestFirst } from './domain/history.ts';
import { keyText, type Shipment } from './domain/shipment.ts';
import { type AskOptions, NotNow, type Sources } from './domain/sources.ts';
import type { RecordFacts } from './tracking-store.ts';

export interface RefreshOptions {
  readonly sources: Pick<Sources, 'ask'>;
  readonly record: RecordFacts;
  readonly clock: Clock;
}

/** What a shipment is refreshed for. */
export type RefreshPurpose = AskOptions['purpose'];

/** Gives the fact that ends a poll; called once the source has responded. */
export type EndPoll = () => Extract<ParcelFact, { type: 'rescheduled' }>;

/**
 * Asks the source of a shipment and adds its response to the history; resolves with true when `endPoll` has ended the watch.
 * @param traceparent of what it is refreshed for, for the call of the source and the event of a change
 * @param endPoll for a poll: its fact is decided after the response and written with it
 * @throws AppError 50001 when the source is out, 50301 when the store is; NotNow when our own limits forbid the call
 */
export type RefreshShipment = (shipment: Shipment, purpose: RefreshPurpose, traceparent?: string, endPoll?: EndPoll) => Promise<boolean>;

/**
 * Makes the refresh that all share: callers that ask for a shipment while its source is being asked get that response. The call
 * belongs to the trace of the first caller. A query that finds a poll which is not made now asks for itself: a query may be allowed what a poll is not.
 * A caller that asks after news (see Shipment.wakes) starts a new call: the response of the running one may lack the news.
 */
export function createRefreshShipment({ sources, record, clock }: RefreshOptions): RefreshShipment {
  const inFlight = new Map<string, { readonly purpose: RefreshPurpose; readonly response: Promise<boolean> }>();

  const refresh: RefreshShipment = async (shipment, purpose, traceparent, endPoll) => {
    const { nodes, report, onNews } = await sources.ask(shipment, { purpose, traceparent });
    const history = digestNodes(oldestFirst(nodes));
    const response = { type: 'response', shipment, nodes: history, now: clock.now(), traceparent, report } as const;
    const [outcome, end] = await record(endPoll === undefined ? [response] : [response, endPoll()]);
    if (outcome?.hasNewNodes) onNews?.();
    return end?.endsWatch === true;
  };

  /** Waits for a response that another caller has asked for and records. */
  const join = async (response: Promise<boolean>, endPoll: EndPoll | undefined): Promise<boolean> => {
    await response;
    const [end] = endPoll === undefined ? [] : await record([endPoll()]);
    return end?.endsWatch === true;
  };

  const ask: RefreshShipment = (shipment, purpose, traceparent, endPoll) => {
    const key = JSON.stringify([keyText(shipment), shipment.watch, shipment.wakes]);
    const running = inFlight.get(key);
    if (running?.purpose === 'poll' && purpose === 'query') {
      return running.response.catch((error: unknown) => {
        if (error instanceof NotNow) return ask(shipment, purpose, traceparent);
        throw error;
      });
    }
    if (running) return join(running.response, endPoll);
    const response = refresh(shipment, purpose, traceparent, endPoll).finally(() => inFlight.delete(key));
    inFlight.set(key, { purpose, response });
    return response;
  };
  return ask;
}
