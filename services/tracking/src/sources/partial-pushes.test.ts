// What a push does to the rows without a time that a query has found before.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { silentLogger } from '@parcelway/kernel/logger';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { after, decideOn, dispatched } from '../testing/facts.ts';
import { NOW, shipmentOf } from '../testing/samples.ts';
import { numberOf, rowAgo, type SourceDriver, startSource } from '../testing/source-driver.ts';
import { type OpenSources, openSources } from '../watch/adapters/ask-sources.ts';
import { createPushReader } from '../watch/adapters/read-pushes.ts';
import type { ParcelFact, SourceReport } from '../watch/domain/facts.ts';
import type { UndatedRow } from '../watch/domain/parcel-state.ts';
import { trackingSources } from './source-list.ts';

/** Vendors whose pushes may have some of the rows, such as one activity of UPS. */
const PARTIAL = ['dhl', 'ups', 'yunexpress'];

test('the sources whose pushes may hold a part say so', () => {
  const partial = [...trackingSources.values()].filter(({ pushes }) => pushes?.holdsPart).map(({ name }) => name);
  expect(partial.sort()).toEqual(PARTIAL);
});

describe.each(Object.keys(sourceServers))('%s', (name) => {
  const number = numberOf(name);
  const held = { stage: 'exception', at: null, text: 'Held' } as const;
  let driver: SourceDriver;
  let sources: OpenSources;

  beforeEach(async () => {
    driver = await startSource(name);
    const { source, ledgers, clock } = driver;
    sources = openSources({
      connections: { serving: async () => [driver.connection] },
      detailsOf: () => ({}),
      shipments: { findByNumber: async () => [] },
      sources: new Map([[name, source]]),
      environment: 'production',
      simulated: { simulatedNodes: async () => [] },
      logger: silentLogger,
      telemetry: recordingTelemetry().of('tracking'),
      ledgers,
      clock,
      timeoutMs: 5000,
    });
  });
  afterEach(async () => {
    await sources.close();
    await driver.close();
  });

  /** The report of a push with the newest scan alone. */
  async function pushed(): Promise<SourceReport | undefined> {
    const reader = createPushReader({ sources, detailsOf: () => ({}), now: () => driver.clock.now(), logger: silentLogger });
    const { body, headers } = driver.server.signPush(number, { rows: [rowAgo('out for delivery', 1)] });
    const received = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]));
    const read = await reader.read(driver.connection, Buffer.from(body), received);
    if (read.kind !== 'push' || !read.isProved) throw new Error(`The push is ${JSON.stringify(read)}`);
    return read.parcels[0]?.responseFor(driver.shipment(number)).report;
  }

  const response = (report: SourceReport | undefined, now: number): ParcelFact => ({
    type: 'response',
    shipment: shipmentOf(),
    nodes: [],
    now,
    report,
  });

  test(`a push ${PARTIAL.includes(name) ? 'keeps' : 'has every row, so it replaces'} the rows without a time that a query has found`, async () => {
    driver.server.addRows(number, rowAgo('in transit', 10), held);
    const { report } = await driver.ask(number);
    expect(report?.undated).toMatchObject([{ content: 'Held' }]);
    const queried = after(dispatched, response(report, NOW + 10));
    const kept: readonly UndatedRow[] | undefined = decideOn(queried, response(await pushed(), NOW + 20)).writes[0]?.after.shipment
      ?.undated;
    expect(kept).toEqual(PARTIAL.includes(name) ? report?.undated : []);
    // The next query has every row.
    driver.clock.advance(60_000);
    driver.server.replaceRows(number, rowAgo('in transit', 10));
    const later = (await driver.ask(number)).report;
    expect(decideOn(queried, response(later, NOW + 30)).writes[0]?.after.shipment?.undated).toEqual([]);
  });
});
