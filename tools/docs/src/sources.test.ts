import { describe, expect, test } from '@jest/globals';
import { readTrackingSources } from '../../../services/tracking/src/accounts/domain/read-tracking-sources.ts';
import type { TrackingSource } from '../../../services/tracking/src/sources/source.ts';
import { trackingSources } from '../../../services/tracking/src/sources/source-list.ts';
import { read, rowsOf, section } from './testing/documents.ts';

/* The pages of tracking sources, and the overview, state by hand what the sources declare. */

const overview = read('docs/tracking.md');

/** The list in an example of TRACKING_SOURCES. */
function exampleIn(markdown: string): string {
  const example = /^TRACKING_SOURCES='(.+)'$/m.exec(markdown)?.[1];
  if (example === undefined) throw new Error('There is no example of TRACKING_SOURCES');
  return example;
}

/** The connection that the commands of a page add, in the form of TRACKING_SOURCES. */
function addedBy(page: string): string {
  const [, id, source, carriers = ''] =
    /^ *npx parcelctl connection add --id (\S+) --source (\S+) --carriers (\S+) --credentials-file \S+\.json$/m.exec(page) ?? [];
  const [, credentials = ''] = /^\d\. Write the credentials into [^\n]*: `(\{.+\})`\.$/m.exec(page) ?? [];
  return JSON.stringify([{ id, source, carriers: carriers.replaceAll("'", '').split(','), credentials: JSON.parse(credentials) }]);
}

const limit = (value: number | null): string => (value === null ? 'no limit' : String(value));

const LIMITS = ['Calls a second', 'Numbers in a query', 'Numbers in a registration', 'Calls a day', 'Calls for one parcel a day'];

const limitsOf = ({ limits }: TrackingSource): string[] => [
  limit(limits.requestsPerSecond),
  limit(limits.numbersPerQuery),
  limit(limits.numbersPerRegistration),
  limit(limits.callsPerDay),
  limit(limits.fetchesPerParcelPerDay),
];

const SECTIONS = ['Get credentials', 'Connect it', 'Limits', 'Troubleshooting'];

describe.each([...trackingSources])('the page of %s', (name, source) => {
  const page = read(`docs/sources/${name}.md`);

  test('has the same sections as the others', () => {
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(SECTIONS);
  });

  test('adds a connection that is accepted, for this source', () => {
    const [connection] = readTrackingSources(addedBy(page), trackingSources);
    expect(connection?.source).toBe(name);
  });

  test('names every credential, and which are required', () => {
    const { required, optional } = source.credentials;
    const [, , ...rows] = rowsOf(section(page, 'Connect it'));
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ...required.map((credential) => [`\`${credential}\``, 'yes']),
      ...optional.map((credential) => [`\`${credential}\``, 'no']),
    ]);
  });

  test('is in the overview, with the limits that the platform keeps', () => {
    const [head = [], ...rows] = rowsOf(section(overview, 'Sources'));
    const row = rows.find(([first]) => first?.includes(`sources/${name}.md`));
    expect(head.slice(1, 6)).toEqual(LIMITS);
    expect(row?.slice(1, 6)).toEqual(limitsOf(source));
  });

  test('gives the address of pushes where the source pushes', () => {
    const [connection] = readTrackingSources(addedBy(page), trackingSources);
    const address = `https://<host>/carriers/v1/${name}/${connection?.connectionId}`;
    expect(page.includes(address)).toBe(source.pushes !== null);
  });
});

test('the example of the overview is accepted', () => {
  expect(readTrackingSources(exampleIn(overview), trackingSources)).toHaveLength(1);
});
