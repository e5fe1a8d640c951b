import { join } from 'node:path';
import { samplePdf, sampleSubmission } from '@parcelway/harness/sample-data';
import { runScript } from '../child-server.ts';
import { closedLoopOf } from '../closed-loop.ts';
import { exactCpuMicrosecondsOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage, type Stage } from '../stage.ts';
import { inCycles, type Suite } from '../suite.ts';

const FEW = 1_000;
const MANY = 300_000;
const CONNECTIONS = 4;
let counter = 0;

/** Fills the platform's store, and gives what asks for a number that one of these forecasts has. */
async function takenNumbers(stage: Stage, forecasts: number): Promise<(requests: number) => Promise<number>> {
  const { platform, warehouseCode, tenantKey } = stage;
  await runScript('processes/fill-forecasts.js', [
    join(platform.dataDirectory, 'forecast.db'),
    platform.quickstart.tenant.id,
    String(forecasts),
  ]);
  const api = platform.client(tenantKey);
  const label = await api.upload<{ url: string }>('/open/v1/files/pdf', 'label.pdf', samplePdf('label'));
  await api.close();
  const { url } = label.data;
  const merchant = stage.client(tenantKey, CONNECTIONS);
  const submit = (client: RawClient): Promise<void> => {
    counter += 1;
    const trackingNumber = `LOAD${1 + Math.floor(Math.random() * forecasts)}`;
    const sample = { poNumber: `TAKEN-${counter}`, warehouseCode, shippingLabel: url, shippingNote: url, trackingNumber };
    return client.refuse(422, '/open/v1/forecasts', JSON.stringify(sampleSubmission(sample)));
  };
  return async (requests) => {
    const before = exactCpuMicrosecondsOf(platform.pid);
    await closedLoopOf(CONNECTIONS, requests, () => submit(merchant));
    return (exactCpuMicrosecondsOf(platform.pid) - before) / requests;
  };
}

/** CPU time of the platform for a response of 42202 with many forecasts, next to the same with few: what a look-up costs must not grow with them. */
export const takenNumber: Suite = async (options): Promise<readonly Row[]> =>
  onStage((few) =>
    onStage(async (many) => {
      const requests = options.scale.quick ? 500 : 2000;
      options.progress('filling two stores with forecasts');
      const [atFew, atMany] = [await takenNumbers(few, FEW), await takenNumbers(many, MANY)];
      for (const warmUp of [atFew, atMany]) await warmUp(requests / 2);
      const samples = await inCycles(options, 'taken numbers', async () => ({
        reference: await atFew(requests),
        ours: await atMany(requests),
      }));
      const name = `Taken number at ${MANY.toLocaleString('en')} forecasts, CPU`;
      const reference = `the same at ${FEW.toLocaleString('en')} forecasts`;
      return [rowOf({ suite: 'taken-number', name, unit: 'µs', reference, better: 'lower' }, samples)];
    }),
  );
