import { sampleSubmission } from '@parcelway/harness/sample-data';
import { endAfter } from '../child-server.ts';
import { closedLoop } from '../closed-loop.ts';
import { openScratch } from './mongo-scratch.ts';

/*
 * The bare durable insert loop on MongoDB: the document of a submission (forecast, its content, its event) written
 * with insertOne, acknowledged by the majority. No HTTP, no checks, no consumers. Arguments: items a forecast,
 * milliseconds, inserts under way at once. Prints { perSecond }.
 */

endAfter(120_000);
const [items = '1', milliseconds = '2000', concurrency = '1'] = process.argv.slice(2);

const { collection, close } = await openScratch(Number(concurrency));
await collection.createIndex({ tenant_id: 1, po_number: 1, held_until: 1 }, { unique: true });
await collection.createIndex({ tenant_id: 1, created_at: -1, forecast_id: -1 });
await collection.createIndex({ tenant_id: 1, po_number: 1, created_at: -1, forecast_id: -1 });
await collection.createIndex({ tenant_id: 1, status: 1, created_at: -1, forecast_id: -1 });
await collection.createIndex({ outbox_due: 1, outbox_since: 1 }, { partialFilterExpression: { outbox_due: { $exists: true } } });

const content = JSON.stringify(sampleSubmission({ poNumber: 'PO-0', warehouseCode: 'W1', items: Number(items) }));
const message = 'm'.repeat(600);
const hash = 'h'.repeat(64);
const never = new Date(8.64e15);
let count = 0;

async function insert(): Promise<void> {
  const now = Date.now();
  count += 1;
  const forecastNo = `FC-${count}`;
  await collection.insertOne({
    _id: `tnt_1 ${forecastNo}`,
    tenant_id: 'tnt_1',
    forecast_id: count,
    forecast_no: forecastNo,
    po_number: `PO-${count}`,
    held_until: never,
    status: 1,
    content_hash: hash,
    created_at: now,
    progress: { seq: 0 },
    content,
    outbox: [{ id: String(count), topic: 'forecast.events.v1', key: forecastNo, value: message, at: now }],
    outbox_due: now,
    outbox_since: now,
  });
}

// The first inserts make the collection's files and the connections.
await closedLoop(Number(concurrency), 200, insert);
const { perSecond } = await closedLoop(Number(concurrency), Number(milliseconds), insert);
await close();
process.stdout.write(`${JSON.stringify({ perSecond })}\n`);
