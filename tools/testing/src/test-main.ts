// `npm test`: every check and every test that needs no server, what fails fast first. The last line is
// `N passed, N failed`: the tests that really ran; a suite that could not be loaded and a failed check (build, lint,
// layering, …) count as one failure each.
import { bin, build, report, root, runJest } from './jest-run.ts';
import { runStep } from './run-step.ts';

/** Checks without tests of their own; those of one row run side by side, on two cores. */
const checks = [
  [build],
  [
    // With the default of four checkers it takes three times the memory and no less time on two cores.
    { name: 'types of the tests', command: [bin('tsc'), '-p', 'tsconfig.tests.json', '--checkers', '1'], env: { GOMEMLIMIT: '1400MiB' } },
    { name: 'lint and format', command: [bin('biome'), 'check', '.'] },
  ],
  [
    { name: 'layering', command: ['npm', 'run', '--silent', 'layers'] },
    { name: 'unused code', command: ['npm', 'run', '--silent', 'unused'] },
  ],
];

const started = performance.now();
const steps = [];
for (const row of checks) steps.push(...(await Promise.all(row.map((step) => runStep(step, root)))));

// The scenarios start what was built: after a failed build they would test something older.
const built = !steps.some((step) => !step.ok && step.name.startsWith('build'));
const runs = [await runJest({ project: 'unit' })];
if (built) runs.push(await runJest({ project: 'e2e' }));
else console.log('skip  e2e tests: the build failed');

process.exitCode = report(runs, steps, started) ? 0 : 1;
