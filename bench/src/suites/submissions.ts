import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '../child-server.ts';
import { closedLoop, type LoopResult } from '../closed-loop.ts';
import { submissionWriter } from '../parcels.ts';
import type { RawClient } from '../raw-client.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage } from '../stage.ts';
import { inCycles, type Suite, type SuiteOptions } from '../suite.ts';

const CONCURRENCY = 50;

/** Submits forecasts of `items` items for a time over 50 connections; each has a po_number of its own. */
export function submitFor(client: RawClient, warehouseCode: string, items: number, milliseconds: number): Promise<LoopResult> {
  const write = submissionWriter(warehouseCode, items);
  return closedLoop(CONCURRENCY, milliseconds, () => client.send('POST', '/open/v1/forecasts', write()));
}

/** Name of the measure. */
export function submissionsName(items: number): string {
  return `Submissions of ${items} item${items === 1 ? '' : 's'}`;
}

async function measure(options: SuiteOptions, items: number): Promise<Row> {
  const { measureMs } = options.scale;
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  try {
    const samples = await onStage(async ({ client, tenantKey, warehouseCode }) => {
      const merchant = client(tenantKey, CONCURRENCY);
      await submitFor(merchant, warehouseCode, items, measureMs / 4);
      return inCycles(options, `submissions of ${items} items`, async () => ({
        ours: (await submitFor(merchant, warehouseCode, items, measureMs)).perSecond,
        reference: (await runScript<{ perSecond: number }>('processes/insert-loop.js', [directory, String(items), String(measureMs / 2)]))
          .perSecond,
      }));
    });
    const about = { suite: 'submissions', name: submissionsName(items), unit: '/s', reference: 'SQLite insert loop, one commit each' };
    return rowOf({ ...about, better: 'higher' }, samples);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Forecasts accepted a second over HTTPS, next to a loop that writes the same rows to a file and does nothing else. */
export const submissions: Suite = async (options) => [await measure(options, 1), await measure(options, 100)];
