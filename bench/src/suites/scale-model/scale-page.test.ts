import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { markdownReport } from '../../report/table.ts';
import { assumptions } from './assumptions.ts';
import { measuredIn, sizesIn } from './input-tables.ts';
import { processes, type ScaleInputs } from './inputs.ts';
import { coresOf } from './load.ts';
import { scaleModel } from './model.ts';
import { priceList } from './prices.ts';
import { tableBelow } from './published-tables.ts';
import { routes, visitsOf } from './routes.ts';
import { stagesOf } from './scale-model.ts';
import { modelTables, SIMULATION_TITLE } from './tables.ts';

/* docs/scale.md agrees with the model of the inputs that it states. `npm run bench -- --only scale-model --write docs/scale.md` writes it. */

const page = readFileSync(new URL('../../../../docs/scale.md', import.meta.url), 'utf8');
const inputs: ScaleInputs = { ...measuredIn(page), ...sizesIn(page) };
const model = scaleModel(inputs, assumptions);

test.each(modelTables(inputs, assumptions).map((table) => [table.title, table] as const))('%s', (_title, table) => {
  expect(page).toContain(markdownReport([], [table]));
});

test('the simulation is of the replicas of the model, and of one fewer', () => {
  const { columns, lines } = tableBelow(page, SIMULATION_TITLE);
  const stages = [...stagesOf(model).values()].map(({ name, groups }) => [name, String(groups), String(Math.max(1, groups - 1))]);
  const fewer = columns.indexOf('One fewer: replicas');
  expect(lines.map((line) => [line[0], line[columns.indexOf('Replicas')], line[fewer]])).toEqual(stages);
});

test('the simulation does nearly all of the work of the model', () => {
  for (const process of processes) {
    const visited = model.streams.filter(({ name }) => visitsOf(routes[name].first).some(({ visit }) => visit.process === process));
    expect(coresOf(process, visited)).toBeGreaterThanOrEqual(0.95 * coresOf(process, model.streams));
  }
});

test('the page names the source of the prices and their day', () => {
  expect(page).toContain(priceList.date);
  expect(page.replaceAll('\n', ' ')).toContain(priceList.source);
});
