import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { ServerStage } from '@parcelway/harness/sources/source-server';

/** What a source reports, and the `admin_status` that merchants see then. */
export type DemoNews = readonly [stage: ServerStage, status: AdminStatus];

/** How the demo names a tracking source, and a parcel that the source takes. */
export interface DemoSource {
  /** Name of the vendor for people. */
  readonly title: string;
  /** What the warehouse writes in the dispatch. */
  readonly carrierCode: string;
  readonly trackingNumber: string;
  /** What it pushes, one after the other. The last one is final. */
  readonly pushed: readonly DemoNews[];
}

const delivered: DemoNews = ['delivered', 'Delivery Success'];
const pushed: readonly DemoNews[] = [['out for delivery', 'In Delivery'], delivered];

/** The tracking sources of the demo, by their names. */
export const demoSources: ReadonlyMap<string, DemoSource> = new Map([
  ['17track', { title: '17TRACK', carrierCode: 'china-post', trackingNumber: 'RR123456785CN', pushed }],
  ['easypost', { title: 'EasyPost', carrierCode: 'usps', trackingNumber: 'EZ1000000001', pushed }],
  ['aftership', { title: 'AfterShip', carrierCode: 'ups', trackingNumber: '1Z12345E0205271688', pushed }],
  ['ups', { title: 'UPS', carrierCode: 'ups', trackingNumber: '1Z12345E0205271688', pushed }],
  // DHL has one code for all that happens between the first scan and the delivery.
  ['dhl', { title: 'DHL', carrierCode: 'dhl', trackingNumber: '00340434161094000001', pushed: [delivered] }],
  ['yunexpress', { title: 'YunExpress', carrierCode: 'yunexpress', trackingNumber: 'YT2512345678901234', pushed }],
]);
