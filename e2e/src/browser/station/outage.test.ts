import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { shows, useStation } from './use-station.ts';

/* The network is cut in the middle of the work. */

/** How long the network is cut in the middle of twenty parcels, at least: several requests of the page time out meanwhile. */
const OUTAGE_MS = 15_000;

const station = useStation();

test(
  'twenty parcels with the keyboard alone, and a network that is cut in the middle: none is lost, none doubled, photos attached',
  async () => {
    const parcels = await station.announced(20);
    const at = await station.bench();
    await at.page.getByText(/^\d\d+ announced parcels have not left the warehouse$/).waitFor();
    let cutAt = 0;
    for (const [index, { poNumber, trackingNumber }] of parcels.entries()) {
      if (index === 7) {
        await at.cutNetwork(true);
        cutAt = Date.now();
      }
      if (index === 14) {
        await at.networkSays('Offline');
        // Seven parcels, each with its arrival; what was on its way when the network went comes on top.
        await at.networkSays(/1[4-9] reports waiting/);
        await until(() => Date.now() >= cutAt + OUTAGE_MS, { within: OUTAGE_MS + 20_000, what: 'the end of the outage' });
        await at.cutNetwork(false);
      }
      await at.line(trackingNumber);
      await at.asked('Weight in kg');
      await at.line(`1.${index + 10}`);
      await at.line('30x20x10');
      if (index === 0) await at.startCamera();
      await at.takePhoto();
      await at.line('');
      await at.said(`${poNumber} is done: ${Number(`1.${index + 10}`)} kg, 1 photo.`);
    }
    await at.networkSays('Online', 60_000);
    await at.networkSays('All reports sent', 60_000);
    for (const [index, parcel] of parcels.entries()) {
      await shows(parcel, { status: 3, measurements: [{ weight_kg: Number(`1.${index + 10}`), length_cm: 30, photos: [{}] }] });
    }
    const details = await Promise.all(parcels.map(({ owner, poNumber }) => owner.forecast(poNumber)));
    expect(details.flatMap(({ measurements }) => measurements)).toHaveLength(20);
    expect(details.flatMap(({ measurements }) => measurements.flatMap(({ photos }) => photos))).toHaveLength(20);
  },
  OUTAGE_MS + 240_000,
);
