import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'minio';
import { endAfter } from '../child-server.ts';
import { closedLoopOf } from '../closed-loop.ts';

/*
 * Bare uploads to the object store: objects of distinct bytes put with the minio client. No TLS, no form, no hash, no
 * record. Arguments: megabytes an object, objects, puts under way at once. Prints { megabytesPerSecond }.
 */

endAfter(120_000);
const [megabytes = '1', objects = '10', concurrency = '4'] = process.argv.slice(2);
const { hostname, port, protocol } = new URL(process.env['S3_ENDPOINT'] ?? '');
const useSSL = protocol === 'https:';
const client = new Client({
  endPoint: hostname,
  port: Number(port) || (useSSL ? 443 : 80),
  useSSL,
  region: process.env['S3_REGION'] ?? 'us-east-1',
  accessKey: process.env['S3_ACCESS_KEY'] ?? '',
  secretKey: process.env['S3_SECRET_KEY'] ?? '',
});
const bucket = `bench-${randomUUID()}`;
const names: string[] = [];
const contents = Array.from({ length: Number(concurrency) }, () => randomBytes(Number(megabytes) * 1_000_000));

async function put(worker: number): Promise<void> {
  const content = contents[worker] as Buffer;
  const name = `object-${names.length}`;
  content.writeUInt32BE(names.length, 0);
  names.push(name);
  await client.putObject(bucket, name, content);
}

await client.makeBucket(bucket);
try {
  await closedLoopOf(Number(concurrency), Number(concurrency), put);
  const { perSecond } = await closedLoopOf(Number(concurrency), Number(objects), put);
  process.stdout.write(`${JSON.stringify({ megabytesPerSecond: perSecond * Number(megabytes) })}\n`);
} finally {
  await client.removeObjects(bucket, names);
  await client.removeBucket(bucket);
}
process.exit(0);
