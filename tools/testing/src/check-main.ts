// `npm run check`: what no test says: types of the tests, lint and format, layers, unused code, terms. Those of one row run side by side, on two cores.
// The last line is `N passed, N failed`.
import { bin, build, root } from './jest-run.ts';
import { runStep } from './run-step.ts';

const npm = (script: string) => ['npm', 'run', '--silent', script];
const rows = [
  [build],
  [
    // With the default of four checkers it takes three times the memory and no less time on two cores.
    { name: 'types of the tests', command: [bin('tsc'), '-p', 'tsconfig.tests.json', '--checkers', '1'], env: { GOMEMLIMIT: '1400MiB' } },
    { name: 'lint and format', command: [bin('biome'), 'check', '.'] },
  ],
  [
    { name: 'layers', command: npm('layers') },
    { name: 'unused code', command: npm('unused') },
  ],
];

const outcomes = [];
for (const row of rows) outcomes.push(...(await Promise.all(row.map((step) => runStep(step, root)))));
const failed = outcomes.filter(({ ok }) => !ok);
if (failed.length > 0) console.log(`failed: ${failed.map(({ name }) => name).join(', ')}`);
console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
