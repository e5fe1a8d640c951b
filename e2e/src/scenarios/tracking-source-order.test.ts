import { expect, test } from '@jest/globals';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { connectionTo } from '@parcelway/harness/sources/source-connection';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { dispatchedWith, newTrackingNumber, useSourceServer } from '../source-parcels.ts';
import { useCarrierInterface } from '../use-carrier-interface.ts';
import { useStageWithMerchant } from '../use-stage.ts';

/* Which source a platform asks for a parcel: a connection that names its carrier, CARRIERS, a connection for all carriers, in this order. */

const named = useSourceServer('easypost');
const forAll = useSourceServer('17track');
/** The interfaces that CARRIERS names. */
const legacy = useCarrierInterface();
const both = useCarrierInterface();
const broken = useCarrierInterface();

const { merchant } = useStageWithMerchant(() => ({
  TRACKING_SOURCES: JSON.stringify([connectionTo(forAll, 'con-all', ['*']), connectionTo(named, 'con-named', ['both'])]),
  CARRIERS: JSON.stringify({ legacy: { url: legacy.url }, both: { url: both.url }, broken: { url: broken.url } }),
}));

const kindsFor = ({ calls }: SourceServer, number: string) =>
  calls.filter(({ numbers }) => numbers.includes(number)).map(({ kind }) => kind);

/** Hands a parcel of which every vendor knows that it is with the customs to a carrier. @returns its number, and what the merchant sees */
async function tracked(carrier: string) {
  const number = newTrackingNumber('ORD');
  for (const source of [named, forAll]) source.addRows(number, recentRow('customs', 60));
  const poNumber = await dispatchedWith(merchant, carrier, number);
  const { latest_status } = await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length > 0, 'what the source knows');
  return { number, latest_status };
}

test('CARRIERS goes before a connection that serves all carriers', async () => {
  const { number, latest_status } = await tracked('Legacy');
  expect(latest_status).toBe('In Transit');
  expect(legacy.asked(number)).toBeGreaterThan(0);
  expect(kindsFor(forAll, number)).toEqual([]);
});

test('a connection that names the carrier goes before CARRIERS', async () => {
  const { number } = await tracked('both');
  expect(kindsFor(named, number)).toEqual(['register', 'query']);
  expect(both.asked(number)).toBe(0);
});

test('what nobody names goes to the connection for all carriers', async () => {
  const { number } = await tracked('no-name-carrier');
  expect(kindsFor(forAll, number)).toEqual(['register', 'query']);
  expect(kindsFor(named, number)).toEqual([]);
});

test('the next source is asked where the first one fails', async () => {
  broken.fail();
  const { number } = await tracked('broken');
  expect(broken.asked(number)).toBeGreaterThan(0);
  expect(kindsFor(forAll, number)).toEqual(['register', 'query']);
});
