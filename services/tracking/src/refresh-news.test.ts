import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { decide } from './domain/decide.ts';
import type { RecordFacts } from './record-facts.ts';
import { createRefreshShipment } from './refresh-shipment.ts';
import { after, dispatched } from './testing/facts.ts';
import { NOW, node, shipmentOf } from './testing/samples.ts';

test('a source learns that its response had news, once for each response that had some', async () => {
  let parcel = after(dispatched);
  const record: RecordFacts = async (facts) => {
    const { writes, outcomes } = decide(facts, () => parcel, 'sandbox');
    parcel = writes[0]?.after ?? parcel;
    return outcomes;
  };
  let news = 0;
  let nodes = [node(1)];
  const onNews = (): void => {
    news += 1;
  };
  const refresh = createRefreshShipment({ sources: { ask: async () => ({ nodes, onNews }) }, record, clock: new ManualClock(NOW) });
  await refresh(shipmentOf(), 'poll');
  expect(news).toBe(1);
  await refresh(shipmentOf(), 'poll');
  expect(news).toBe(1);
  nodes = [node(2), node(1)];
  await refresh(shipmentOf(), 'poll');
  expect(news).toBe(2);
});
