import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, test } from '@jest/globals';
import type { StationPage } from './station-page.ts';
import { useStation } from './use-station.ts';

/* Takes the pictures of docs/station.md. Runs with UPDATE_SCREENSHOTS=1 alone, and needs a font with Chinese letters. */

const folder = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const station = useStation();
let at: StationPage;

/** What a merchant has announced: two orders under numbers of their own, and one number that both have. */
async function announceAll(): Promise<void> {
  const owner = await station.stage.operator.newMerchant('Harbour Goods');
  const item = (sku_code: string, barcode: string, product_name_en: string, product_name_cn: string, forecast_quantity: number) => ({
    sku_code,
    barcode,
    product_name_en,
    product_name_cn,
    forecast_quantity,
  });
  const items = [
    item('MUG-BLUE-350', '6901234567892', 'Ceramic mug, blue, 350 ml', '蓝色陶瓷杯 350 毫升', 24),
    item('TSHIRT-M-WHITE', '4006381333931', 'Cotton T-shirt, white, M', '白色纯棉T恤 M', 12),
    item('LAMP-DESK-02', '', 'Desk lamp with dimmer', '可调光台灯', 2),
  ].map(({ barcode, ...rest }) => (barcode === '' ? rest : { barcode, ...rest }));
  for (const [index, po_number] of ['PO-2026-1121-001', 'PO-2026-1121-002', 'PO-2026-1121-003'].entries()) {
    const body = { ...(await owner.body({ poNumber: po_number })), carton_count: index + 1, due_date: undefined };
    const tracked = items.map((each, place) => (place === 0 ? { ...each, tracking_number: `SF 1234-5678-901${index}` } : each));
    const { forecast_no } = (await owner.submitBody({ ...body, items: tracked })).data;
    await station.stage.clerk.untilForecast(forecast_no, ({ packing_slip }) => packing_slip !== null, 'a packing slip');
  }
}

const taken = (name: string): Promise<Buffer> => at.page.screenshot({ path: join(folder, `station-${name}.png`) });

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await announceAll();
}, 120_000);

test('the pictures of the guide', async () => {
  at = await station.bench();
  await at.page.getByText('3 announced parcels have not left the warehouse').waitFor();

  await at.line('TSHIRT-M-WHITE');
  await at.asked('Which parcel is it?');
  await taken('choose');
  await at.page.keyboard.press('Escape');

  await at.line('SF123456789010');
  await at.asked('Weight');
  await at.line('1.25');
  await at.line('C');
  await at.until("document.querySelector('video')?.videoWidth > 0");
  await at.line('C');
  await at.page.locator('.picture').waitFor();
  await taken('parcel');
  await at.line('N');
  for (const count of ['25', '12', '=1']) await at.line(count);
  await taken('count');
  for (const line of ['*', '']) await at.line(line);
  await at.line('H');
  await at.line('Customs papers are missing');
  await at.said('Reported: Hold.');
  await taken('hold');
  await at.line('30x20x10');
  await at.line('');
  await at.said('is done');
  await at.networkSays('All reports sent');

  await at.weigh('SF123456789011', '200000 kg', '40x30x20');
  await at.networkSays('1 report rejected');
  await at.line('R');
  await at.page.getByRole('button', { name: 'Fix' }).click();
  await at.page.getByLabel('Weight in kg').last().fill('2.4');
  await taken('refused');
  await at.page.keyboard.press('Enter');
  await at.page.getByText('No reports are waiting on this device.').waitFor();
  await at.page.keyboard.press('Escape');

  await at.cutNetwork(true);
  await at.weigh('SF123456789012', '3.1', '60x40x20');
  await at.networkSays('2 reports waiting');
  await taken('offline');
  await at.cutNetwork(false);
  await at.networkSays('All reports sent', 60_000);

  const { clerk } = station.stage;
  await clerk.report(clerk.event({ type: 'arrival', express_no: 'YT 7788-1234' }), clerk.weighing({ express_no: 'YT 7788-1234' }));
  await clerk.report(clerk.event({ type: 'arrival', express_no: 'JD0099887766' }));
  await at.line('A');
  await at.page.locator('.candidates strong', { hasText: 'JD0099887766' }).waitFor();
  await taken('unclaimed');
  await at.line('1');
  await at.line('PO-2026-1121-002');
  await at.asked('Press Enter to claim it');
  await taken('claim');

  at = await station.bench({ locale: 'zh-CN', width: 820, height: 1180 });
  await at.line('SF123456789012');
  await at.page.locator('.parcel').waitFor();
  await taken('tablet-zh');
}, 120_000);
