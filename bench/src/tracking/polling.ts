import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript, startScript } from '../child-server.ts';
import type { Row } from '../report/row.ts';
import { inCycles, type SuiteOptions } from '../suite.ts';
import { type Rate, rowsOfRate } from './rate.ts';

const TENANT = 'tnt_load';
/** Rows that the vendor has of each parcel. */
const ROWS = '3';

/** What polling all parcels twice gave, numbers a second. */
interface Polls {
  /** The vendor had news of each. */
  readonly news: Rate;
  /** The vendor had none. */
  readonly noNews: Rate;
}

/** Polls on a new file whose shipments are all due. */
async function poll(baseUrl: string, key: string, count: string): Promise<Polls> {
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  try {
    const file = join(directory, 'tracking.db');
    await runScript('processes/fill-shipments.js', [file, TENANT, count, '1']);
    return await runScript<Polls>('processes/poll-parcels.js', [file, baseUrl, key, count]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Polls of 17TRACK without its limit of calls, next to a loop of the same calls. */
export async function measurePolling(options: SuiteOptions): Promise<readonly Row[]> {
  const count = options.scale.quick ? '4000' : '20000';
  const vendor = await startScript<{ baseUrl: string; key: string }>('processes/vendor-17track.js', [count, ROWS]);
  try {
    const { baseUrl, key } = vendor.info;
    const loop = (): Promise<Rate> => runScript<Rate>('processes/query-loop.js', [baseUrl, key, count]);
    await loop();
    const cycles = await inCycles(options, 'polls', async () => ({ ours: await poll(baseUrl, key, count), reference: await loop() }));
    const rows = (name: string, of: keyof Polls): readonly Row[] =>
      rowsOfRate(
        { name, reference: 'loop of the same calls' },
        cycles.map(({ ours, reference }) => ({ ours: ours[of], reference })),
      );
    return [...rows('Polled numbers, with news of each', 'news'), ...rows('Polled numbers, without news', 'noNews')];
  } finally {
    await vendor.stop();
  }
}
