import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { readTrackingSources } from '../../../services/tracking/src/connections/domain/read-tracking-sources.ts';
import type { TrackingSource } from '../../../services/tracking/src/sources/source.ts';
import { trackingSources } from '../../../services/tracking/src/sources/source-list.ts';

/* The pages of tracking sources state by hand what the sources declare. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const overview = read('tracking.md');

/** The list in an example of TRACKING_SOURCES. */
function exampleIn(markdown: string): string {
  const example = /^TRACKING_SOURCES='(.+)'$/m.exec(markdown)?.[1];
  if (example === undefined) throw new Error('There is no example of TRACKING_SOURCES');
  return example;
}

/** First two cells of the rows of the tables in a section. */
function rowsIn(markdown: string, heading: string): [string, string][] {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].map(([, first = '', second = '']): [string, string] => [first, second]);
  return rows.filter(([first]) => !['Credential', 'Limit'].includes(first));
}

const limit = (value: number | null): string => (value === null ? 'no limit' : String(value));

function limitRows({ limits }: TrackingSource): [string, string][] {
  return [
    ['Calls a second', limit(limits.requestsPerSecond)],
    ['Numbers in a query', limit(limits.numbersPerQuery)],
    ['Numbers in a registration', limit(limits.numbersPerRegistration)],
    ['Calls a day', limit(limits.callsPerDay)],
    ['Calls for one parcel a day', limit(limits.fetchesPerParcelPerDay)],
  ];
}

const SECTIONS = ['What to order', 'Connect it', 'What it costs in calls', 'What it cannot do', 'See that it works'];

describe.each([...trackingSources])('the page of %s', (name, source) => {
  const page = read(`sources/${name}.md`);

  test('has the same sections as the others, and the overview links to it', () => {
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(SECTIONS);
    expect(overview).toContain(`[\`${name}\`](sources/${name}.md)`);
  });

  test('has an example that is accepted, for this source', () => {
    const [connection, ...others] = readTrackingSources(exampleIn(page), trackingSources);
    expect([connection?.source, others.length]).toEqual([name, 0]);
  });

  test('names every credential, and which are required', () => {
    const { required, optional } = source.credentials;
    expect(rowsIn(page, 'Connect it')).toEqual([
      ...required.map((credential) => [`\`${credential}\``, 'yes']),
      ...optional.map((credential) => [`\`${credential}\``, 'no']),
    ]);
  });

  test('states the limits that the platform keeps', () => {
    expect(rowsIn(page, 'What it costs in calls')).toEqual(limitRows(source));
  });

  test('gives the address of pushes where the source pushes', () => {
    const [connection] = readTrackingSources(exampleIn(page), trackingSources);
    const address = `https://<host>/carriers/v1/${name}/${connection?.connectionId}`;
    expect(page.includes(address)).toBe(source.pushes !== null);
  });
});

test('the example of the overview is accepted', () => {
  expect(readTrackingSources(exampleIn(overview), trackingSources)).toHaveLength(1);
});
