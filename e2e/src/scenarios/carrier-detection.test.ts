import { expect, test } from '@jest/globals';
import { useSharedStageWithMerchant } from '../use-stage.ts';

const { merchant } = useSharedStageWithMerchant();

const RIGHT = '1Z999AA10123456784';
const WRONG = '1Z999AA10123456785';

test('a merchant learns the carrier of a number, and of one that is no number what is allowed', async () => {
  const { data } = await merchant.detectCarriers('1z 999-aa1 0123 456784');
  expect(data).toMatchObject({ tracking_number: RIGHT, candidates: [{ carrier_code: 'ups', confidence: 'high' }] });
  expect(data).not.toHaveProperty('warnings');
  const refused = await merchant.detectCarriers('12');
  expect(refused).toMatchObject({ status: 422, code: '42201' });
  expect(refused.data).toMatchObject({ errors: [{ field: 'tracking_number', message: expect.stringContaining('4 to 64 characters') }] });
});

test('a number with a wrong check digit gets a warning at the detection, the submission and the correction, and is accepted', async () => {
  const detected = await merchant.detectCarriers(WRONG);
  expect(detected.data).toMatchObject({ candidates: [], warnings: [{ field: 'tracking_number' }] });

  const accepted = await merchant.submit({ trackingNumber: WRONG });
  expect(accepted.warnings).toEqual([
    { field: 'items[0].tracking_number', message: expect.stringMatching(/UPS 1Z, but its check digit does not fit/) },
  ]);
  const forecast = await merchant.forecast(accepted.po_number);
  expect(forecast).toMatchObject({ status: 1, items: [{ tracking_number: WRONG }] });

  const correctionTo = (tracking_number: string) => ({
    items: [{ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number }],
  });
  const stillWrong = await merchant.correct(accepted.po_number, correctionTo('RB123456786GB'));
  expect(stillWrong).toMatchObject({ code: '0', data: { version: 2, warnings: [{ field: 'items[0].tracking_number' }] } });
  const right = await merchant.correct(accepted.po_number, correctionTo(RIGHT));
  expect(right).toMatchObject({ code: '0', data: { version: 3, warnings: [] } });
});
