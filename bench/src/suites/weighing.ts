import { until } from '@parcelway/kernel/testing/until';
import { startScript } from '../child-server.ts';
import { closedLoop } from '../closed-loop.ts';
import { findProgram } from '../programs.ts';
import type { RawClient } from '../raw-client.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage, type Stage } from '../stage.ts';
import { inCycles, type Suite, type SuiteOptions } from '../suite.ts';
import { wrk } from '../wrk.ts';

const CONCURRENCY = 50;

interface WeighingResponse {
  readonly code: string;
  readonly data: { readonly weight_kg: number | null };
}

/** Submits a forecast and has it weighed. @returns path of its weighing query, and the size of the response in bytes */
async function weighedParcel({ platform }: Stage): Promise<{ readonly path: string; readonly bytes: number }> {
  const merchant = platform.client();
  const { warehouse } = platform.quickstart;
  const body = {
    po_number: 'BENCH-WEIGHED',
    forecast_type: 1,
    warehouse_code: warehouse.code,
    items: [{ sku_code: 'S', product_name_en: 'Shirt', forecast_quantity: 1 }],
  };
  await merchant.expectOk('/open/v1/forecasts', { body });
  await merchant.expectOk('/sandbox/v1/simulations', { body: { po_number: body.po_number, step: 'weigh', photos: 1 } });
  const path = `/open/v1/forecasts/weighing?po_number=${body.po_number}`;
  const text = await until(async () => {
    const response = await merchant.call<WeighingResponse['data'] & { weighing_images: unknown[] }>(path);
    return response.data.weight_kg !== null && response.data.weighing_images.length > 0 ? response.text : undefined;
  });
  return { path, bytes: Buffer.byteLength(text) };
}

async function queriesPerSecond(url: string, key: string, client: RawClient, milliseconds: number): Promise<number> {
  if (findProgram('wrk')) return (await wrk(url, Math.max(1, Math.round(milliseconds / 1000)), { 'X-Api-Key': key })).perSecond;
  const { pathname, search } = new URL(url);
  return (await closedLoop(CONCURRENCY, milliseconds, () => client.send('GET', pathname + search, null))).perSecond;
}

/** Weighing queries a second over HTTPS, next to a server that responds with as many constant bytes over the same TLS. */
export async function weighingOn(options: SuiteOptions, stage: Stage): Promise<Row[]> {
  const { platform, tenantKey, certFile, keyFile } = stage;
  const { path, bytes } = await weighedParcel(stage);
  const bare = await startScript<{ origin: string }>('processes/constant-server.js', [String(bytes), certFile, keyFile]);
  try {
    const merchant = stage.client(tenantKey, CONCURRENCY);
    const outsider = stage.referenceClient(bare.info.origin, CONCURRENCY);
    const { measureMs } = options.scale;
    const ours = (ms: number): Promise<number> => queriesPerSecond(platform.quickstart.base_url + path, tenantKey, merchant, ms);
    await ours(1000);
    const samples = await inCycles(options, 'weighing queries', async () => ({
      ours: await ours(measureMs),
      reference: await queriesPerSecond(bare.info.origin + path, tenantKey, outsider, measureMs),
    }));
    const about = { suite: 'weighing', name: 'Weighing queries', unit: '/s', reference: 'node:https, constant response' };
    return [rowOf({ ...about, better: 'higher' }, samples)];
  } finally {
    await bare.stop();
  }
}

/** The same on a platform of its own. */
export const weighing: Suite = (options) => onStage((stage) => weighingOn(options, stage));
