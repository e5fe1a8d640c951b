import type { SimulationResult } from '@parcelway/contracts/sandbox-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import { until } from '@parcelway/kernel/testing/until';
import { dispatchParcel } from './bench-reports.ts';
import { check } from './check.ts';
import { type DemoCarrier, type Journey, PO_NUMBER, untilChanged } from './journey-state.ts';

const TRACKING = `/open/v1/forecasts/tracking?po_number=${PO_NUMBER}`;

async function dispatch({ bench, forecastNo }: Journey): Promise<string> {
  await dispatchParcel(bench, forecastNo, { carrierCode: 'simulated', trackingNumber: bench.trackingNumber });
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
    await untilChanged(journey, admin_status);
  }
  const tracking = await merchant.call<TrackingResult>(TRACKING);
  check(tracking.is_terminal && tracking.latest_status === 'Delivery Success', 'the tracking is not terminal');
  check(tracking.nodes.length === stations.length, 'nodes are missing');
  return `${tracking.nodes.length} nodes, ${tracking.latest_status}, terminal`;
}

/** The carrier of the sandbox, which says what the merchant lets it say. */
export const simulatedCarrier: DemoCarrier = {
  async deliver(journey) {
    const { narrator } = journey;
    await narrator.step('The warehouse dispatches the parcel', () => dispatch(journey));
    await narrator.step('The merchant sees the dispatch', () => readDispatch(journey));
    await narrator.step('The carrier, simulated, delivers it node by node', () => track(journey));
  },
  simulated: 'the carrier alone was simulated',
};
