import { expect, test } from '@jest/globals';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant();

test('cancellation against arrival: one of them, and the state agrees with the response', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    const [cancelled] = await Promise.all([
      merchant.cancel(po_number),
      stage.clerk.report(stage.clerk.event({ type: 'arrival', forecast_no })),
    ]);
    const { photo_id } = await stage.clerk.photo();
    await stage.clerk.report(stage.clerk.event({ type: 'photo', forecast_no, photo_id, image_type: 'other' }));
    await merchant.untilWeighing(po_number, ({ forecast_images }) => forecast_images.length === 1);
    expect((await merchant.forecast(po_number)).status).toBe(cancelled.code === '0' ? 7 : 2);
  }
});

test('a correction against arrival and cancellation: before them or not at all', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    const rival = async () =>
      round % 2 === 0
        ? merchant.cancel(po_number)
        : stage.clerk.report(stage.clerk.event({ type: 'arrival', forecast_no })).then(() => merchant.untilStatus(po_number, 2));
    const [corrected] = await Promise.all([merchant.correct(po_number, { due_date: '2030-01-10' }), rival()]);
    expect(['0', '40902']).toContain(corrected.code);
    const taken = corrected.code === '0';
    const status = round % 2 === 0 ? 7 : 2;
    expect(await merchant.forecast(po_number)).toMatchObject({ status, version: taken ? 2 : 1, ...(taken && { due_date: '2030-01-10' }) });
  }
});
