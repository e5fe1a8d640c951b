import { expect, test } from '@jest/globals';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { connectionTo } from '@parcelway/harness/sources/source-connection';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { dispatchedWith, newTrackingNumber, useSourceServer } from '../source-parcels.ts';
import { useCarrierInterface } from '../use-carrier-interface.ts';
import { useStageWithMerchant } from '../use-stage.ts';

/* Which source a platform asks for a parcel: a connection that names its carrier before a connection for all carriers, and the next one where it fails. */

const named = useSourceServer('easypost');
const forAll = useSourceServer('17track');
const broken = useCarrierInterface();

const { merchant } = useStageWithMerchant(() => ({
  TRACKING_SOURCES: JSON.stringify([
    connectionTo(forAll, 'con-all', ['*']),
    connectionTo(named, 'con-named', ['named']),
    { id: 'con-broken', source: 'generic', carriers: ['broken'], credentials: { url: broken.url } },
  ]),
}));

const kindsFor = ({ calls }: SourceServer, number: string) =>
  calls.filter(({ numbers }) => numbers.includes(number)).map(({ kind }) => kind);

/** Hands a parcel that every vendor knows to a carrier. @returns its number */
async function tracked(carrier: string): Promise<string> {
  const number = newTrackingNumber('ORD');
  for (const source of [named, forAll]) source.addRows(number, recentRow('customs', 60));
  const poNumber = await dispatchedWith(merchant, carrier, number);
  await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length > 0, 'what the source knows');
  return number;
}

test('a connection that names the carrier goes before one for all carriers', async () => {
  const number = await tracked('Named');
  expect(kindsFor(named, number)).toEqual(['register', 'query']);
  expect(kindsFor(forAll, number)).toEqual([]);
});

test('what nobody names goes to the connection for all carriers', async () => {
  const number = await tracked('no-name-carrier');
  expect(kindsFor(forAll, number)).toEqual(['register', 'query']);
  expect(kindsFor(named, number)).toEqual([]);
});

test('the next source is asked where the first one fails', async () => {
  broken.fail();
  const number = await tracked('broken');
  expect(broken.asked(number)).toBeGreaterThan(0);
  expect(kindsFor(forAll, number)).toEqual(['register', 'query']);
});
