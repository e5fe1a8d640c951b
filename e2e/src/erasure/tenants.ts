import type { CarrierConnection } from '@parcelway/contracts/carrier-connection-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import type { Stage } from '../stage.ts';

/** A merchant with something of every kind. */
export interface FullTenant {
  readonly merchant: Merchant;
  readonly tenantId: string;
  readonly poNumber: string;
  readonly forecastNo: string;
  readonly fileUrl: string;
  readonly photoUrl: string;
  readonly webhookSecret: string;
  /** Texts that nothing else contains. */
  readonly marks: readonly string[];
}

/** A merchant with files, forecasts, reports and photos of the warehouse, a dispatch, tracking, a connection, an endpoint and deliveries. */
export async function fullTenant(stage: Stage, mark: string): Promise<FullTenant> {
  const merchant = await stage.operator.newMerchant(`Merchant ${mark}`);
  const receiver = await stage.receiver();
  const { secret } = await merchant.createEndpoint({ url: `${receiver.url}?of=${mark}`, description: mark });
  const credentials = { key: `credential-${mark}`, push_token: 't' };
  await expectRoute<CarrierConnection>(merchant.client, 'createConnection', {
    body: { source: 'dhl', carriers: ['not-used'], credentials },
  });
  const uploaded = await merchant.upload(`${mark}.pdf`, samplePdf(`${mark} recipient`));
  const poNumber = newPoNumber(`PO-${mark}`);
  const trackingNumber = newPoNumber(`TRK${mark}`);
  const body = await merchant.body({ poNumber, trackingNumber, shippingLabel: uploaded.data.url });
  const { forecast_no: forecastNo } = (await merchant.submitBody(body)).data;
  const photo = await stage.clerk.photo(`photo of ${mark} `);
  await stage.clerk.report(stage.clerk.weighing({ express_no: trackingNumber, photo_ids: [photo.photo_id] }));
  await stage.clerk.report(stage.clerk.exception({ forecast_no: forecastNo, text: `${mark} torn` }));
  await receiver.waitForEvent('parcel.weighed', poNumber);
  await merchant.simulate({ po_number: poNumber, step: 'dispatch' });
  await merchant.untilShipped(poNumber);
  await merchant.submit({ poNumber: newPoNumber(`PO-${mark}`) });
  await merchant.client.fetchBytes((await merchant.forecast(poNumber)).marketplace_label);
  const fileUrl = uploaded.data.url;
  const marks = [
    poNumber,
    trackingNumber,
    forecastNo,
    `Merchant ${mark}`,
    `${mark}.pdf`,
    `${mark} torn`,
    `of=${mark}`,
    merchant.identity.keyId,
  ];
  return {
    merchant,
    tenantId: merchant.identity.tenantId,
    poNumber,
    forecastNo,
    fileUrl,
    photoUrl: photo.image_url,
    webhookSecret: secret,
    marks,
  };
}

/** For the platform of a scenario: no request of it is under way for seconds, as one may be for minutes elsewhere. */
export const settledSoon = { ERASURE_SETTLE: '4s' } as const;
