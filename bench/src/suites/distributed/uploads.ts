import { runScript } from '../../child-server.ts';
import type { DistributedStage } from '../../distributed-stage.ts';
import { type Row, rowOf } from '../../report/row.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { Uploader, uploadSize } from '../uploads.ts';

async function measure(options: SuiteOptions, stage: DistributedStage, megabytes: number): Promise<Row> {
  const { files, concurrency } = uploadSize(options, megabytes);
  const uploader = new Uploader(megabytes);
  const merchant = stage.client(stage.tenantKey, concurrency);
  const put = async (): Promise<number> => {
    const args = [megabytes, files, concurrency].map(String);
    return (await runScript<{ megabytesPerSecond: number }>('processes/minio-put-loop.js', args)).megabytesPerSecond;
  };
  await uploader.upload(merchant, files / 4);
  const samples = await inCycles(options, `uploads of ${megabytes} MB`, async () => ({
    ours: await uploader.upload(merchant, files),
    reference: await put(),
  }));
  const about = { suite: 'uploads', name: `Uploads of ${megabytes} MB`, unit: 'MB/s', reference: 'minio client, putObject' };
  return rowOf({ ...about, better: 'higher' }, samples);
}

/** PDFs stored a second over HTTPS, next to the minio client that puts as many bytes into the same object store. */
export async function uploads(options: SuiteOptions, stage: DistributedStage): Promise<readonly Row[]> {
  return [await measure(options, stage, 1), await measure(options, stage, 10)];
}
