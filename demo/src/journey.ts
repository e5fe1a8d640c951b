import { readFileSync } from 'node:fs';
import { Merchant } from '@parcelway/harness/merchant';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { samplePdf, sampleSubmission } from '@parcelway/harness/sample-data';
import { WarehouseClerk } from '@parcelway/harness/warehouse';
import { type ReceivedWebhook, WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { NarratedClient, type Narrator } from './narrator.ts';

/** The number that the merchant gives the parcel. */
const PO_NUMBER = 'PO-DEMO-0001';
/** On the parcel as it comes to the warehouse. */
const TRACKING_NUMBER = 'SIM4711000015';
/** What the demo weighs, in kg and cm. */
const MEASURED = { length_cm: 30, width_cm: 20.5, height_cm: 12, weight_kg: 1.84 } as const;
const STATIONS = ['Info Received', 'In Transit', 'In Delivery', 'Delivery Success'] as const;
const COMPLETED = 6;

/** @throws Error with that sentence unless the condition holds */
function check(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}

/** One parcel on its way. What is waited for is read without showing it. */
class Journey {
  readonly #narrator: Narrator;
  readonly #receiver: WebhookReceiver;
  readonly #merchant: Merchant;
  readonly #clerk: WarehouseClerk;
  readonly #waiting: Merchant;
  readonly #waitingClerk: WarehouseClerk;
  readonly #files = { shippingLabel: '', shippingNote: '' };
  #secret = '';
  #forecastNo = '';

  /** Title and work of each step; the work returns a note. */
  readonly steps: Readonly<Record<string, () => Promise<string>>> = {
    'The merchant registers a webhook endpoint': async () => {
      const event_types = ['parcel.weighed', 'tracking.changed'] as const;
      const endpoint = await this.#merchant.createEndpoint({ url: this.#receiver.url, event_types: [...event_types], description: 'demo' });
      this.#secret = endpoint.secret;
      return `${endpoint.endpoint_id} receives at ${endpoint.url}`;
    },
    'The merchant uploads label and packing list': async () => {
      this.#files.shippingLabel = (await this.#merchant.upload('label.pdf', samplePdf('Shipping label'))).data.url;
      this.#files.shippingNote = (await this.#merchant.upload('packing-list.pdf', samplePdf('Packing list'))).data.url;
      const opened = await this.#merchant.client.fetchBytes(this.#files.shippingLabel);
      check(opened.status === 200 && opened.bytes.equals(samplePdf('Shipping label')), 'the label does not open at its URL');
      return 'label and packing list stored; the label opens at its URL';
    },
    'The merchant submits the forecast': async () => {
      const numbers = { poNumber: PO_NUMBER, trackingNumber: TRACKING_NUMBER, warehouseCode: this.#clerk.code };
      const body = sampleSubmission({ ...numbers, ...this.#files, items: 2 });
      const [accepted, again] = [await this.#merchant.submitBody(body), await this.#merchant.submitBody(body)];
      check(accepted.code === '0', accepted.text);
      check(again.data.forecast_no === accepted.data.forecast_no, 'the second submission made a second forecast');
      return `${accepted.data.forecast_no}; submitted twice, accepted once`;
    },
    'The warehouse scans the parcel and finds it': async () => {
      const isKnown = async (): Promise<boolean> => (await this.#waitingClerk.lookUp(TRACKING_NUMBER)).candidates.length > 0;
      await until(isKnown, { what: 'the warehouse to know the parcel' });
      const { candidates } = await this.#clerk.lookUp(TRACKING_NUMBER);
      const [candidate] = candidates;
      check(candidates.length === 1 && candidate?.forecast.po_number === PO_NUMBER, 'the scan found another parcel');
      this.#forecastNo = String(candidate?.forecast.forecast_no);
      return String(candidate?.reason);
    },
    'The warehouse receives the parcel': async () => {
      const photo = { type: 'photo', photo_id: (await this.#clerk.photo('parcel')).photo_id, image_type: 'package', image_order: 1 };
      await this.#report({ type: 'arrival' }, photo);
      return 'arrival and a photo, applied to the forecast';
    },
    'The warehouse weighs and photographs it': async () => {
      const photos = [await this.#clerk.photo('scale-1'), await this.#clerk.photo('scale-2')];
      const weighing = { type: 'weighing', ...MEASURED, photo_ids: photos.map(({ photo_id }) => photo_id) };
      await this.#report(weighing);
      return `${MEASURED.weight_kg} kg and ${photos.length} photos, applied to the forecast`;
    },
    'The merchant learns the weight': async () => {
      this.#verify(await this.#receiver.waitForEvent('parcel.weighed', PO_NUMBER));
      const weighing = await this.#merchant.weighing(PO_NUMBER);
      const measured = Object.keys(MEASURED) as (keyof typeof MEASURED)[];
      check(
        measured.every((name) => weighing[name] === MEASURED[name]),
        'the measurements are not those of the weighing',
      );
      check(weighing.weighing_images.length === 2, 'the photos are missing');
      const opened = await this.#merchant.client.fetchBytes(String(weighing.weighing_images[0]?.image_url));
      check(opened.status === 200, 'the photo does not open');
      return `${weighing.weight_kg} kg, ${weighing.weighing_images.length} photos, in a signed webhook`;
    },
    'The warehouse dispatches the parcel': async () => {
      await this.#report({ type: 'processing' });
      const dispatch = { type: 'dispatch', carrier_code: 'simulated', tracking_number: TRACKING_NUMBER };
      await this.#report(dispatch);
      return 'handed to the carrier, which is simulated';
    },
    'The merchant sees the dispatch': async () => {
      await this.#waiting.untilShipped(PO_NUMBER);
      check((await this.#merchant.tracking(PO_NUMBER)).nodes.length === 0, 'there are nodes before the carrier had the parcel');
      return 'shipped, no trace yet';
    },
    'The carrier, simulated, delivers it node by node': async () => {
      for (const [index, admin_status] of STATIONS.entries()) {
        const node = { content: `${admin_status} (simulated)`, address: index < 2 ? 'Shenzhen' : 'Berlin' };
        await this.#merchant.simulate({ po_number: PO_NUMBER, step: 'track', admin_status, ...node });
        this.#verify(
          await this.#receiver.waitFor(({ type, body }) => type === 'tracking.changed' && body.data.admin_status === admin_status),
        );
      }
      const { is_terminal, latest_status, nodes } = await this.#merchant.tracking(PO_NUMBER);
      check(is_terminal && latest_status === 'Delivery Success', 'the tracking is not terminal');
      check(nodes.length === STATIONS.length, 'nodes are missing');
      return `${nodes.length} nodes, ${latest_status}, terminal`;
    },
    'The forecast is complete': async () => {
      await this.#waiting.untilStatus(PO_NUMBER, COMPLETED);
      return `the forecast is ${(await this.#merchant.forecast(PO_NUMBER)).status_name}`;
    },
  };

  constructor(platform: PlatformProcess, narrator: Narrator, receiver: WebhookReceiver) {
    const { base_url, ca_file, tenant, warehouse } = platform.quickstart;
    const identity = { tenantId: tenant.id, keyId: '', key: tenant.api_key, warehouseCode: warehouse.code };
    const shown = (by: string, key: string) => new NarratedClient(narrator, by, base_url, key, readFileSync(ca_file, 'utf8'));
    this.#narrator = narrator;
    this.#receiver = receiver;
    this.#merchant = new Merchant(shown('merchant', tenant.api_key), identity);
    this.#clerk = new WarehouseClerk(shown('warehouse', warehouse.api_key), warehouse.code);
    this.#waiting = new Merchant(platform.client(), identity);
    this.#waitingClerk = new WarehouseClerk(platform.client(warehouse.api_key), warehouse.code);
  }

  /** Shows a webhook. @throws Error when its signature is wrong */
  #verify(webhook: ReceivedWebhook): void {
    const { id, headers, rawBody } = webhook;
    this.#narrator.say(`    ⇐ webhook-id: ${id}, webhook-signature: ${headers['webhook-signature']}\n      ${rawBody}`);
    check(WebhookReceiver.verifies(webhook, this.#secret), 'the signature of the webhook is wrong');
  }

  /** Reports events of the parcel in one call, and checks that each was applied to its forecast. */
  async #report(...details: readonly { readonly type: string }[]): Promise<void> {
    const common = { forecast_no: this.#forecastNo, express_no: TRACKING_NUMBER };
    const events = details.map((detail) => this.#clerk.event({ ...common, ...detail }));
    await this.#clerk.report(...events);
    for (const { event_id } of events) {
      const outcome = await this.#clerk.outcome(event_id);
      check(outcome.state === 'applied' && outcome.forecast_no === this.#forecastNo, `the event ${event_id} was not applied`);
    }
  }
}

/**
 * Takes one parcel all the way through a running platform.
 * @throws Error at the first step that fails
 */
export async function playJourney(platform: PlatformProcess, narrator: Narrator): Promise<void> {
  const receiver = await WebhookReceiver.start();
  try {
    for (const [title, work] of Object.entries(new Journey(platform, narrator, receiver).steps)) await narrator.step(title, work);
    narrator.say(
      `\nThe steps of the warehouse used its own key and the routes under /warehouse/v1, as the station does; the carrier alone was simulated.\n` +
        'To use the same bench as a page, run npm start and open /station at the address that it prints. Sign in with the warehouse key of quickstart.json.',
    );
  } finally {
    await receiver.stop();
  }
}
