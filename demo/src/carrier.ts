import type { SimulationResult } from '@parcelway/contracts/sandbox-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { ReceivedWebhook } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { dispatchParcel } from './bench-reports.ts';
import { check } from './check.ts';
import { type Journey, PO_NUMBER, verified } from './journey-state.ts';

const TRACKING = `/open/v1/forecasts/tracking?po_number=${PO_NUMBER}`;

async function dispatch({ bench, forecastNo }: Journey): Promise<string> {
  await dispatchParcel(bench, forecastNo);
  return 'handed to the carrier, which is simulated';
}

async function readDispatch({ merchant }: Journey): Promise<string> {
  const tracking = await until(
    async () => {
      const result = await merchant.call<TrackingResult>(TRACKING);
      return result.is_shipped ? result : undefined;
    },
    { what: 'the dispatch to show', everyMs: 200 },
  );
  check(tracking.nodes.length === 0, 'there are nodes before the carrier had the parcel');
  return 'shipped, no trace yet';
}

async function track(journey: Journey): Promise<string> {
  const { merchant } = journey;
  const stations = ['Info Received', 'In Transit', 'In Delivery', 'Delivery Success'];
  for (const [index, admin_status] of stations.entries()) {
    const node = { step: 'track', admin_status, content: `${admin_status} (simulated)`, address: index < 2 ? 'Shenzhen' : 'Berlin' };
    await merchant.call<SimulationResult>('/sandbox/v1/simulations', { body: { po_number: PO_NUMBER, ...node } });
    const isNews = ({ type, body }: ReceivedWebhook): boolean => type === 'tracking.changed' && body.data.admin_status === admin_status;
    verified(journey, await journey.receiver.waitFor(isNews));
  }
  const tracking = await merchant.call<TrackingResult>(TRACKING);
  check(tracking.is_terminal && tracking.latest_status === 'Delivery Success', 'the tracking is not terminal');
  check(tracking.nodes.length === stations.length, 'nodes are missing');
  return `${tracking.nodes.length} nodes, ${tracking.latest_status}, terminal`;
}

/** Plays the steps from the dispatch to the delivery. @throws Error at the first step that fails */
export async function deliver(journey: Journey): Promise<void> {
  const { narrator } = journey;
  await narrator.step('The warehouse dispatches the parcel', () => dispatch(journey));
  await narrator.step('The merchant sees the dispatch', () => readDispatch(journey));
  await narrator.step('The carrier, simulated, delivers it node by node', () => track(journey));
}
