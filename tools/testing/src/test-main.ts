// `npm test`: builds, then every unit test, then the journeys of a parcel on the built platform. Needs no server and no browser. The last line is
// `N passed, N failed`: the tests that really ran; a suite that could not be loaded and a failed build count as one failure each.
import { build, report, root, runJest } from './jest-run.ts';
import { runStep } from './run-step.ts';

/** What merchants and warehouses do every day, from end to end. `npm run test:real` runs every scenario. */
const journeys = ['corrections', 'idempotency', 'isolation', 'journey', 'late-events', 'tracking-sources'];

const started = performance.now();
const built = await runStep(build, root);
const runs = [await runJest({ project: 'unit' })];
// They start what was built: after a failed build they would test something older.
if (built.ok) {
  const args = ['--testPathPatterns', `/e2e/src/scenarios/(${journeys.join('|')})\\.test`];
  runs.push(await runJest({ project: 'e2e', name: 'journeys', args }));
} else console.log('skip  journeys: the build failed');

process.exitCode = report(runs, [built], started) ? 0 : 1;
