import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ledger } from '../ledger/ledger.ts';
import { useDirectory } from '../use-directory.ts';
import { documentViolations } from './kill-points.ts';

const directory = useDirectory();

test.each([
  ['as many as forecasts', ['a', 'a again', 'b'], []],
  ['one is lost', ['a'], ['1 different documents of 2 forecasts']],
  ['one is left over', ['a', 'b', 'c'], ['3 different documents of 2 forecasts']],
])('stored documents: %s', (_case, names, violations) => {
  const ledger = new Ledger();
  for (const number of ['FC-1', 'FC-2']) ledger.acknowledgeForecast(Object.assign(ledger.begin(), { correctionsAcknowledged: 2 }), number);
  const objects = join(directory.path, 'blobs', 'file', 'objects');
  rmSync(objects, { recursive: true, force: true });
  mkdirSync(objects, { recursive: true });
  for (const name of names) writeFileSync(join(objects, name), name.slice(0, 1) + `{"key":"document/${name}"}`.padEnd(512));
  expect(documentViolations({ dataDirectory: directory.path }, ledger)).toEqual(violations);
});
