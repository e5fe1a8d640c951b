import { randomBytes } from 'node:crypto';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { ApiClient } from '@parcelway/harness/api-client';
import { connectionTo, type PushOptions, recentRow, type SourceServer } from '@parcelway/harness/sources/source-server';
import { dispatchParcel } from './bench-reports.ts';
import { check } from './check.ts';
import type { DemoNews, DemoSource } from './demo-sources.ts';
import { type DemoCarrier, type Journey, PO_NUMBER, untilChanged } from './journey-state.ts';

/** A tracking source of which the platform has a connection. */
export interface ConnectedDemoSource extends DemoSource {
  readonly server: SourceServer;
  readonly connectionId: string;
}

/** What the source knows when it is asked. */
const FIRST: DemoNews = ['in transit', 'In Transit'];
/** Connects the platform to the server of a source. @returns the source, and the variables for the platform */
export function connectDemoSource(
  source: DemoSource,
  server: SourceServer,
): {
  readonly connected: ConnectedDemoSource;
  readonly env: Readonly<Record<string, string>>;
} {
  // Nobody can guess the address of its pushes.
  const connectionId = `demo-${randomBytes(16).toString('hex')}`;
  const connections = [connectionTo(server, connectionId, [source.carrierCode])];
  return { connected: { ...source, server, connectionId }, env: { TRACKING_SOURCES: JSON.stringify(connections) } };
}

class SourceCarrier implements DemoCarrier {
  readonly simulated: string;
  readonly #source: ConnectedDemoSource;
  /** Has no key, as a vendor has none. */
  readonly #outside: ApiClient;

  constructor(source: ConnectedDemoSource, outside: ApiClient) {
    this.#source = source;
    this.#outside = outside;
    this.simulated = `${source.title} alone was played by a server that speaks its wire format`;
  }

  async deliver(journey: Journey): Promise<void> {
    const { narrator } = journey;
    const { title } = this.#source;
    await narrator.step('The warehouse dispatches the parcel', () => this.#dispatch(journey));
    await narrator.step(`The platform asks ${title}`, () => this.#untilAsked(journey));
    await narrator.step(`A push that ${title} has not signed is refused`, () => this.#pushForged(journey));
    await narrator.step(`${title} pushes what is new`, () => this.#pushNews(journey));
    await narrator.step('The merchant sees the delivery', () => this.#readDelivery(journey));
  }

  async #dispatch({ bench, forecastNo }: Journey): Promise<string> {
    const { server, title, carrierCode, trackingNumber } = this.#source;
    server.addRows(trackingNumber, recentRow(FIRST[0], 180));
    await dispatchParcel(bench, forecastNo, { carrierCode, trackingNumber });
    return `${trackingNumber} handed to ${carrierCode}, for which the platform has a connection to ${title}`;
  }

  async #untilAsked(journey: Journey): Promise<string> {
    const [, status] = FIRST;
    await untilChanged(journey, status);
    const { server, title, trackingNumber } = this.#source;
    for (const { method, path, status: code } of server.calls)
      journey.narrator.say(`    ⇒ ${method} ${path}  (platform to ${title}): ${code}`);
    const kinds = server.calls.filter(({ numbers }) => numbers.includes(trackingNumber)).map(({ kind }) => kind);
    check(kinds.includes('query'), `${title} was not asked for the parcel`);
    return `${status}, found with the calls: ${kinds.join(', ')}`;
  }

  /** Sends a push to the gateway, as the vendor does, and shows it. @returns status of the response */
  async #push({ narrator }: Journey, options: PushOptions = {}): Promise<number> {
    const { server, title, connectionId, trackingNumber } = this.#source;
    const { body, headers } = server.signPush(trackingNumber, options);
    const path = `/carriers/v1/${server.name}/${connectionId}`;
    const response = await this.#outside.call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
    const proof = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    narrator.exchange(title, 'POST', path, [...proof, body].join('\n'), response);
    return response.status;
  }

  async #pushForged(journey: Journey): Promise<string> {
    const delivered = recentRow('delivered', 1);
    const unsigned = await this.#push(journey, { rows: [delivered], isUnsigned: true });
    const forged = await this.#push(journey, { rows: [delivered], secret: 'a-secret-of-somebody-else' });
    check(unsigned === 401 && forged === 401, `pushes that nobody signed got ${unsigned} and ${forged}`);
    const tracking = await this.#tracking(journey);
    check(tracking.nodes.length === 1 && !tracking.is_terminal, 'a push that nobody signed had an effect');
    return 'refused without a signature and with a wrong one; the tracking is as it was';
  }

  async #pushNews(journey: Journey): Promise<string> {
    const { server, title, trackingNumber, pushed } = this.#source;
    const asked = server.calls.length;
    for (const [index, [stage, status]] of pushed.entries()) {
      server.addRows(trackingNumber, recentRow(stage, 60 - 50 * index));
      const response = await this.#push(journey);
      check(response === 200, `the push of ${status} got ${response}`);
      await untilChanged(journey, status);
    }
    check(server.calls.length === asked, `${title} was asked although it pushed`);
    return `${pushed.map(([, status]) => status).join(', ')}: each in a signed webhook, without a call of ${title}`;
  }

  #tracking({ merchant }: Journey): Promise<TrackingResult> {
    return merchant.call<TrackingResult>(`/open/v1/forecasts/tracking?po_number=${PO_NUMBER}`);
  }

  async #readDelivery(journey: Journey): Promise<string> {
    const tracking = await this.#tracking(journey);
    const { nodes, is_terminal, latest_status, as_of } = tracking;
    check(is_terminal && latest_status === 'Delivery Success', 'the tracking is not terminal');
    check(nodes.length === 1 + this.#source.pushed.length, 'nodes are missing');
    check(as_of !== undefined, 'the tracking does not say how old it is');
    return `${nodes.length} nodes, ${latest_status}, terminal, as of ${as_of}`;
  }
}

/** A carrier that a tracking source reports. @param outside a client without a key, for the pushes of the source */
export function sourceCarrier(source: ConnectedDemoSource, outside: ApiClient): DemoCarrier {
  return new SourceCarrier(source, outside);
}
