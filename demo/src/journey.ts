import type { UploadedFile } from '@parcelway/contracts/file-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { WebhookEndpointWithSecret } from '@parcelway/contracts/webhook-endpoint-api';
import type { WeighingData } from '@parcelway/contracts/weighing-api';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { samplePdf, sampleSubmission } from '@parcelway/harness/sample-data';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { type Bench, findParcel } from './bench.ts';
import { MEASURED, receiveParcel, weighParcel } from './bench-reports.ts';
import { deliver } from './carrier.ts';
import { check } from './check.ts';
import { type Journey, PO_NUMBER, verified } from './journey-state.ts';
import { NarratedClient, type Narrator } from './narrator.ts';

/** On the parcel as it comes to the warehouse. */
const TRACKING_NUMBER = 'SIM4711000015';

async function registerEndpoint(journey: Journey): Promise<string> {
  const endpoint = await journey.merchant.call<WebhookEndpointWithSecret>('/open/v1/webhook-endpoints', {
    body: { url: journey.receiver.url, event_types: ['parcel.weighed', 'tracking.changed'], description: 'demo' },
  });
  journey.secret = endpoint.secret;
  return `${endpoint.endpoint_id} receives at ${endpoint.url}`;
}

async function uploadFiles(journey: Journey): Promise<string> {
  const label = await journey.merchant.upload<UploadedFile>('/open/v1/files/pdf', 'label.pdf', samplePdf('Shipping label'));
  const note = await journey.merchant.upload<UploadedFile>('/open/v1/files/pdf', 'packing-list.pdf', samplePdf('Packing list'));
  journey.label = label.url;
  journey.note = note.url;
  const opened = await journey.merchant.fetchBytes(label.url);
  check(opened.status === 200 && opened.bytes.equals(samplePdf('Shipping label')), 'the label does not open at its URL');
  return 'label and packing list stored; the label opens at its URL';
}

async function submit(journey: Journey): Promise<string> {
  const body = sampleSubmission({
    poNumber: PO_NUMBER,
    warehouseCode: journey.bench.code,
    shippingLabel: journey.label,
    shippingNote: journey.note,
    trackingNumber: TRACKING_NUMBER,
    items: 2,
  });
  const accepted = await journey.merchant.call<ForecastAcceptance>('/open/v1/forecasts', { body });
  const again = await journey.merchant.call<ForecastAcceptance>('/open/v1/forecasts', { body });
  check(again.forecast_no === accepted.forecast_no, 'the second submission made a second forecast');
  return `${accepted.forecast_no}; submitted twice, accepted once`;
}

async function readWeighing(journey: Journey): Promise<string> {
  verified(journey, await journey.receiver.waitForEvent('parcel.weighed', PO_NUMBER));
  const weighing = await journey.merchant.call<WeighingData>(`/open/v1/forecasts/weighing?po_number=${PO_NUMBER}`);
  const measured = Object.keys(MEASURED) as (keyof typeof MEASURED)[];
  const isMeasured = measured.every((name) => weighing[name] === MEASURED[name]);
  check(isMeasured, 'the measurements are not those of the weighing');
  check(weighing.weighing_images.length === 2, 'the photos are missing');
  const photo = await journey.merchant.fetchBytes(String(weighing.weighing_images[0]?.image_url));
  check(photo.status === 200, 'the photo does not open');
  return `${weighing.weight_kg} kg, ${weighing.weighing_images.length} photos, in a signed webhook`;
}

async function completed(journey: Journey): Promise<string> {
  const forecast = await until(
    async () => {
      const detail = await journey.merchant.call<{ status: number; status_name: string }>(`/open/v1/forecasts/${PO_NUMBER}`);
      return detail.status === 6 ? detail : undefined;
    },
    { what: 'the forecast to complete', everyMs: 200 },
  );
  return `the forecast is ${forecast.status_name}`;
}

function newJourney(platform: PlatformProcess, narrator: Narrator, receiver: WebhookReceiver): Journey {
  const { code, api_key } = platform.quickstart.warehouse;
  const bench: Bench = {
    warehouse: new NarratedClient(platform.client(api_key), narrator, 'warehouse'),
    code,
    trackingNumber: TRACKING_NUMBER,
    poNumber: PO_NUMBER,
  };
  const merchant = new NarratedClient(platform.client(), narrator, 'merchant');
  return { merchant, narrator, receiver, bench, secret: '', label: '', note: '', forecastNo: '' };
}

/**
 * Takes one parcel all the way through a running platform.
 * @throws Error at the first step that fails
 */
export async function playJourney(platform: PlatformProcess, narrator: Narrator): Promise<void> {
  const receiver = await WebhookReceiver.start();
  const journey = newJourney(platform, narrator, receiver);
  const { bench } = journey;
  try {
    await narrator.step('The merchant registers a webhook endpoint', () => registerEndpoint(journey));
    await narrator.step('The merchant uploads label and packing list', () => uploadFiles(journey));
    await narrator.step('The merchant submits the forecast', () => submit(journey));
    await narrator.step('The warehouse scans the parcel and finds it', async () => {
      const found = await findParcel(bench);
      journey.forecastNo = found.forecastNo;
      return found.note;
    });
    await narrator.step('The warehouse receives the parcel', () => receiveParcel(bench, journey.forecastNo));
    await narrator.step('The warehouse weighs and photographs it', () => weighParcel(bench, journey.forecastNo));
    await narrator.step('The merchant learns the weight', () => readWeighing(journey));
    await deliver(journey);
    await narrator.step('The forecast is complete', () => completed(journey));
    narrator.say(
      `\nThe steps of the warehouse used its own key and the routes under /warehouse/v1, as the station does; the carrier alone was simulated.\n` +
        'To use the same bench as a page, run npm start and open /station at the address that it prints. Sign in with the warehouse key of quickstart.json.',
    );
  } finally {
    await receiver.stop();
  }
}
