import { expect, test } from '@jest/globals';
import { Docstrings } from './docstrings.ts';
import { pathsPage } from './page.ts';
import type { Paths } from './paths.ts';
import { report, sequence } from './table.ts';
import type { Call } from './tracer.ts';

const call = (file: string, name: string, chain = 7): Call => ({ file, name, chain, isEntry: true, isOfRequest: true });
const edge = call('services/gateway/src/edge.ts', 'Edge.handle');
const http = call('packages/http/src/app.ts', 'serve', 9);
const lane = call('services/webhook/src/lane.ts', 'Lane.send');
const relay = call('packages/platform/src/relay.ts', 'Relay.#loop');

const paths: Paths = {
  submission: [edge, http, edge],
  weighing: [edge],
  webhook: [edge, relay, lane],
  delivery: [lane],
};
const page = pathsPage(paths, new Docstrings('/nowhere'));

test('the page has the files of a path by workspace, numbered in the order of their first entry', () => {
  expect(page).toContain('### services/gateway\n\n- (1) edge.ts `Edge.handle`\n\n### packages/http\n\n- (2) app.ts `serve`\n');
});

test('the page shows a file of the whole way once', () => {
  const [, way = ''] = page.split('## Weighing to delivered webhook');
  expect(way.split('## One delivery')[0]).toContain('### packages/platform\n\n- (2) relay.ts `Relay.#loop`');
  expect(way.split('## One delivery')[0]).not.toContain('lane.ts');
  expect(way.split('## One delivery')[1]).toContain('- (1) lane.ts `Lane.send`');
});

test('the report has the figures of every path and the files entered most', () => {
  expect(report(paths)).toContain('| Submission, request only | 2 | 3 | 1 |');
  expect(report(paths)).toContain('   2  services/gateway/src/edge.ts\n   1  packages/http/src/app.ts');
});

test('the sequence numbers the chains', () => {
  expect(sequence(paths.submission).split('\n')).toEqual([
    '  1  services/gateway/src/edge.ts:Edge.handle',
    '  2  packages/http/src/app.ts:serve',
    '  1  services/gateway/src/edge.ts:Edge.handle',
  ]);
});
