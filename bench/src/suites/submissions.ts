import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleSubmission } from '@parcelway/harness/sample-data';
import { runScript } from '../child-server.ts';
import { closedLoop } from '../closed-loop.ts';
import type { RawClient } from '../raw-client.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage } from '../stage.ts';
import { inCycles, type Suite, type SuiteContext } from '../suite.ts';

const CONCURRENCY = 50;
let counter = 0;

/** Submits forecasts of `items` items for a time; each has a po_number of its own. @returns forecasts a second */
export async function submitFor(client: RawClient, warehouseCode: string, items: number, milliseconds: number): Promise<number> {
  // Only the po_number differs: the body is written once, so that the load costs little next to what it loads.
  const [head, tail] = JSON.stringify(sampleSubmission({ poNumber: '#', warehouseCode, items })).split('#') as [string, string];
  const result = await closedLoop(CONCURRENCY, milliseconds, () => {
    counter += 1;
    return client.send('POST', '/open/v1/forecasts', `${head}BENCH-${counter}${tail}`);
  });
  return result.perSecond;
}

async function measure(context: SuiteContext, items: number): Promise<Row> {
  const { measureMs } = context.scale;
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  try {
    const samples = await onStage(async ({ client, tenantKey, warehouseCode }) => {
      const merchant = client(tenantKey, CONCURRENCY);
      await submitFor(merchant, warehouseCode, items, measureMs / 4);
      return inCycles(context, `submissions of ${items} items`, async () => ({
        ours: await submitFor(merchant, warehouseCode, items, measureMs),
        reference: (await runScript<{ perSecond: number }>('processes/insert-loop.js', [directory, String(items), String(measureMs / 2)]))
          .perSecond,
      }));
    });
    const name = `Submissions of ${items} item${items === 1 ? '' : 's'}`;
    return rowOf({ suite: 'submissions', name, unit: '/s', reference: 'SQLite insert loop, one commit each', better: 'higher' }, samples);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Forecasts accepted a second over HTTPS, next to a loop that writes the same rows to a file and does nothing else. */
export const submissions: Suite = async (context) => [await measure(context, 1), await measure(context, 100)];
