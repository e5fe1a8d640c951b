import { silentLogger } from '@parcelway/kernel/logger';
import { WorkerDocumentRenderer } from '@parcelway/service-file/adapters/documents/worker-document-renderer';
import { labelContent } from '../label-content.ts';

/*
 * Renders the documents of forecasts in the thread of the file service, two at the same time as the service does, and prints { megabytes }, the most
 * memory that the process has had. Argument: how many items each forecast has.
 */

const [itemCount = '3'] = process.argv.slice(2);
const ROUNDS = 3;

const renderer = new WorkerDocumentRenderer(silentLogger);
async function render(index: number): Promise<void> {
  for await (const _piece of renderer.render(labelContent(index, Number(itemCount))));
}
for (let round = 0; round < ROUNDS; round += 1) await Promise.all([render(2 * round), render(2 * round + 1)]);
await renderer.close();
process.stdout.write(JSON.stringify({ megabytes: process.resourceUsage().maxRSS / 1024 }));
