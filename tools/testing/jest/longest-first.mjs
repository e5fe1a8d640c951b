// A new clone has no times of earlier runs, by which Jest begins with the longest suites. One that begins last keeps one
// processor waiting for it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The longest suites of each project. */
const LONGEST = [
  'e2e/src/faults/kill-points.test.ts',
  'e2e/src/browser/docs/reading.test.ts',
  'e2e/src/faults/import-kills.test.ts',
  'e2e/src/samples/docs-samples.test.ts',
  'e2e/src/backup/backup.test.ts',
  'e2e/src/faults/source-faults.test.ts',
  'e2e/src/scenarios/retention.test.ts',
  'services/file/src/uploads/adapters/worker-pdf-inspector.test.ts',
  'services/forecast/src/imports/adapters/reading/worker-spreadsheet-reader.test.ts',
  'tools/docs/src/verify-examples.test.ts',
  'services/gateway/src/proxy/adapters/unread-responses.test.ts',
].map((path) => {
  const file = join(root, path);
  if (!existsSync(file)) throw new Error(`${path} is no test any more: take it out of the list in tools/testing/jest/longest-first.mjs`);
  return file;
});

/** Order of the suites: those known to be long, then as Jest has it. @public called by Jest */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => (LONGEST.includes(path) ? LONGEST.indexOf(path) : LONGEST.length);
    return super.sort(tests).toSorted((one, other) => place(one) - place(other));
  }
}
