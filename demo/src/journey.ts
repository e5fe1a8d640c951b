import { randomUUID } from 'node:crypto';
import type { UploadedFile, UploadedPhoto } from '@parcelway/contracts/file-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { EventOutcome } from '@parcelway/contracts/unclaimed-api';
import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import type { WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import type { WebhookEndpointWithSecret } from '@parcelway/contracts/webhook-endpoint-api';
import type { WeighingData } from '@parcelway/contracts/weighing-api';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { samplePdf, samplePng, sampleSubmission } from '@parcelway/harness/sample-data';
import { type ReceivedWebhook, WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { NarratedClient, type Narrator } from './narrator.ts';

/** The number that the merchant gives the parcel. */
const PO_NUMBER = 'PO-DEMO-0001';
/** On the parcel as it comes to the warehouse. */
const TRACKING_NUMBER = 'SIM4711000015';
/** What the demo weighs, in kg and cm. */
const MEASURED = { length_cm: 30, width_cm: 20.5, height_cm: 12, weight_kg: 1.84 } as const;
const STATIONS = ['Info Received', 'In Transit', 'In Delivery', 'Delivery Success'];

/** @throws Error with that sentence unless the condition holds */
function check(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}

/** Reads again until it is as it should be. */
function eventually<T>(what: string, read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  return until(
    async () => {
      const value = await read();
      return isRight(value) ? value : undefined;
    },
    { what, everyMs: 200 },
  );
}

/** One parcel on its way: what its merchant and its warehouse do, step by step. */
class Journey {
  readonly #narrator: Narrator;
  readonly #receiver: WebhookReceiver;
  readonly #merchant: NarratedClient;
  readonly #warehouse: NarratedClient;
  readonly #warehouseCode: string;
  #secret = '';
  #label = '';
  #note = '';
  #forecastNo = '';

  constructor(platform: PlatformProcess, narrator: Narrator, receiver: WebhookReceiver) {
    const { code, api_key } = platform.quickstart.warehouse;
    this.#narrator = narrator;
    this.#receiver = receiver;
    this.#merchant = new NarratedClient(platform.client(), narrator, 'merchant');
    this.#warehouse = new NarratedClient(platform.client(api_key), narrator, 'warehouse');
    this.#warehouseCode = code;
  }

  /** Title and work of each step; the work returns a note. */
  steps(): readonly (readonly [title: string, work: () => Promise<string>])[] {
    return [
      ['The merchant registers a webhook endpoint', () => this.#registerEndpoint()],
      ['The merchant uploads label and packing list', () => this.#uploadFiles()],
      ['The merchant submits the forecast', () => this.#submit()],
      ['The warehouse scans the parcel and finds it', () => this.#find()],
      ['The warehouse receives the parcel', () => this.#receive()],
      ['The warehouse weighs and photographs it', () => this.#weigh()],
      ['The merchant learns the weight', () => this.#readWeighing()],
      ['The warehouse dispatches the parcel', () => this.#dispatch()],
      ['The merchant sees the dispatch', () => this.#readDispatch()],
      ['The carrier, simulated, delivers it node by node', () => this.#track()],
      ['The forecast is complete', () => this.#complete()],
    ];
  }

  async #registerEndpoint(): Promise<string> {
    const endpoint = await this.#merchant.call<WebhookEndpointWithSecret>('/open/v1/webhook-endpoints', {
      body: { url: this.#receiver.url, event_types: ['parcel.weighed', 'tracking.changed'], description: 'demo' },
    });
    this.#secret = endpoint.secret;
    return `${endpoint.endpoint_id} receives at ${endpoint.url}`;
  }

  async #uploadFiles(): Promise<string> {
    const upload = async (name: string, text: string) =>
      (await this.#merchant.upload<UploadedFile>('/open/v1/files/pdf', name, samplePdf(text))).url;
    this.#label = await upload('label.pdf', 'Shipping label');
    this.#note = await upload('packing-list.pdf', 'Packing list');
    const opened = await this.#merchant.fetchBytes(this.#label);
    check(opened.status === 200 && opened.bytes.equals(samplePdf('Shipping label')), 'the label does not open at its URL');
    return 'label and packing list stored; the label opens at its URL';
  }

  async #submit(): Promise<string> {
    const numbers = { poNumber: PO_NUMBER, trackingNumber: TRACKING_NUMBER, warehouseCode: this.#warehouseCode };
    const body = sampleSubmission({ ...numbers, shippingLabel: this.#label, shippingNote: this.#note, items: 2 });
    const accepted = await this.#merchant.call<ForecastAcceptance>('/open/v1/forecasts', { body });
    const again = await this.#merchant.call<ForecastAcceptance>('/open/v1/forecasts', { body });
    check(again.forecast_no === accepted.forecast_no, 'the second submission made a second forecast');
    return `${accepted.forecast_no}; submitted twice, accepted once`;
  }

  async #find(): Promise<string> {
    const scan = () => this.#warehouse.call<WarehouseLookup>(`/warehouse/v1/lookup?scan=${TRACKING_NUMBER}`);
    const { candidates } = await eventually('the warehouse to know the parcel', scan, (found) => found.candidates.length > 0);
    const [candidate] = candidates;
    check(candidates.length === 1 && candidate?.forecast.po_number === PO_NUMBER, 'the scan found another parcel');
    this.#forecastNo = String(candidate?.forecast.forecast_no);
    return `${candidate?.reason}`;
  }

  async #receive(): Promise<string> {
    await this.#report(
      { type: 'arrival' },
      { type: 'photo', photo_id: await this.#photo('parcel'), image_type: 'package', image_order: 1 },
    );
    return 'arrival and a photo, applied to the forecast';
  }

  async #weigh(): Promise<string> {
    const photos = [await this.#photo('scale-1'), await this.#photo('scale-2')];
    await this.#report({ type: 'weighing', ...MEASURED, photo_ids: photos });
    return `${MEASURED.weight_kg} kg and ${photos.length} photos, applied to the forecast`;
  }

  async #readWeighing(): Promise<string> {
    this.#verify(await this.#receiver.waitForEvent('parcel.weighed', PO_NUMBER));
    const weighing = await this.#merchant.call<WeighingData>(`/open/v1/forecasts/weighing?po_number=${PO_NUMBER}`);
    const measured = Object.keys(MEASURED) as (keyof typeof MEASURED)[];
    const isMeasured = measured.every((name) => weighing[name] === MEASURED[name]);
    check(isMeasured, 'the measurements are not those of the weighing');
    check(weighing.weighing_images.length === 2, 'the photos are missing');
    const opened = await this.#merchant.fetchBytes(String(weighing.weighing_images[0]?.image_url));
    check(opened.status === 200, 'the photo does not open');
    return `${weighing.weight_kg} kg, ${weighing.weighing_images.length} photos, in a signed webhook`;
  }

  async #dispatch(): Promise<string> {
    await this.#report({ type: 'processing' });
    await this.#report({ type: 'dispatch', carrier_code: 'simulated', tracking_number: TRACKING_NUMBER });
    return 'handed to the carrier, which is simulated';
  }

  async #readDispatch(): Promise<string> {
    const { nodes } = await eventually(
      'the dispatch to show',
      () => this.#readTracking(),
      ({ is_shipped }) => is_shipped,
    );
    check(nodes.length === 0, 'there are nodes before the carrier had the parcel');
    return 'shipped, no trace yet';
  }

  async #track(): Promise<string> {
    for (const [index, admin_status] of STATIONS.entries()) {
      const node = { step: 'track', admin_status, content: `${admin_status} (simulated)`, address: index < 2 ? 'Shenzhen' : 'Berlin' };
      await this.#merchant.call('/sandbox/v1/simulations', { body: { po_number: PO_NUMBER, ...node } });
      const isNews = ({ type, body }: ReceivedWebhook): boolean => type === 'tracking.changed' && body.data.admin_status === admin_status;
      this.#verify(await this.#receiver.waitFor(isNews));
    }
    const tracking = await this.#readTracking();
    check(tracking.is_terminal && tracking.latest_status === 'Delivery Success', 'the tracking is not terminal');
    check(tracking.nodes.length === STATIONS.length, 'nodes are missing');
    return `${tracking.nodes.length} nodes, ${tracking.latest_status}, terminal`;
  }

  async #complete(): Promise<string> {
    const read = () => this.#merchant.call<{ status: number; status_name: string }>(`/open/v1/forecasts/${PO_NUMBER}`);
    return `the forecast is ${(await eventually('the forecast to complete', read, ({ status }) => status === 6)).status_name}`;
  }

  /** Shows a webhook. @throws Error when its signature is wrong */
  #verify(webhook: ReceivedWebhook): void {
    const { id, headers, rawBody } = webhook;
    this.#narrator.say(`    ⇐ webhook-id: ${id}, webhook-signature: ${headers['webhook-signature']}\n      ${rawBody}`);
    check(WebhookReceiver.verifies(webhook, this.#secret), 'the signature of the webhook is wrong');
  }

  async #photo(what: string): Promise<string> {
    return (await this.#warehouse.upload<UploadedPhoto>('/warehouse/v1/photos', `${what}.png`, samplePng(what), 'image/png')).photo_id;
  }

  /** Reports events of the parcel in one call, and checks that each was applied to its forecast. */
  async #report(...details: readonly object[]): Promise<void> {
    const common = { warehouse_code: this.#warehouseCode, forecast_no: this.#forecastNo, express_no: TRACKING_NUMBER };
    const event = (detail: object) => ({
      event_id: `${this.#warehouseCode}-${randomUUID()}`,
      occurred_at: new Date().toISOString(),
      ...common,
      ...detail,
    });
    const events = details.map(event);
    const result = await this.#warehouse.call<IntakeResult>('/warehouse/v1/events', { body: { events } });
    check(result.accepted === events.length && result.rejected.length === 0, 'an event was not taken');
    for (const { event_id } of events) {
      const outcome = await this.#warehouse.call<EventOutcome>(`/warehouse/v1/events/${event_id}`);
      check(outcome.state === 'applied' && outcome.forecast_no === this.#forecastNo, `the event ${event_id} was not applied`);
    }
  }

  #readTracking(): Promise<TrackingResult> {
    return this.#merchant.call<TrackingResult>(`/open/v1/forecasts/tracking?po_number=${PO_NUMBER}`);
  }
}

/**
 * Takes one parcel all the way through a running platform.
 * @throws Error at the first step that fails
 */
export async function playJourney(platform: PlatformProcess, narrator: Narrator): Promise<void> {
  const receiver = await WebhookReceiver.start();
  try {
    for (const [title, work] of new Journey(platform, narrator, receiver).steps()) await narrator.step(title, work);
    narrator.say(
      `\nThe steps of the warehouse used its own key and the routes under /warehouse/v1, as the station does; the carrier alone was simulated.\n` +
        'To use the same bench as a page, run npm start and open /station at the address that it prints. Sign in with the warehouse key of quickstart.json.',
    );
  } finally {
    await receiver.stop();
  }
}
