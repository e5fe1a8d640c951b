import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { topicOf } from '@parcelway/contracts/domain-events';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteStoreDriver } from '@parcelway/store/sqlite/sqlite-store-driver';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { eventConsumers } from './event-tables.ts';
import { commandRows, documents, partNames, partsIn, storedCollections, withParts } from './parts.ts';
import { pythonFiles } from './python-files.ts';
import { pythonMethods } from './python-resources.ts';
import { read, root } from './testing/documents.ts';

describe('generated parts of the documentation', () => {
  test.each(documents(root))('%s is as `npm run docs` writes it', async (name) => {
    expect(await withParts(read(name), root)).toBe(read(name));
  });

  test('every part that can be made is in exactly one document', () => {
    const found = documents(root).flatMap((name) => partsIn(read(name)));
    expect(found.sort()).toEqual([...partNames].sort());
  });

  test('a changed part is noticed, an unknown one refused', async () => {
    const stale = '<!-- generated: failpoints -->\n\n- old\n\n<!-- end: failpoints -->';
    expect(await withParts(stale, root)).not.toContain('- old');
    const unknown = withParts('<!-- generated: nothing -->\n<!-- end: nothing -->', root);
    await expect(unknown).rejects.toThrow('Nothing makes the part "nothing"');
  });
});

/** What follows `parcelctl` in the code of a document, up to two words; prose about parcelctl is not looked at. */
function commandsIn(markdown: string): string[] {
  const code = markdown.match(/```[\s\S]*?```|`[^`\n]+`/g) ?? [];
  return code.flatMap((text) => [...text.matchAll(/\bparcelctl ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map((match) => match[1] as string));
}

test('documents name commands of parcelctl that there are', async () => {
  const rows = await commandRows();
  const commands = rows.map(([usage = '']) => /^`([a-z -]*[a-z])/.exec(usage)?.[1] ?? '');
  const exists = (named: string): boolean => commands.some((command) => `${named} `.startsWith(`${command} `));
  expect(exists('dlq redrive')).toBe(true);
  expect(exists('dead-letters redrive')).toBe(false);
  const found = documents(root).flatMap((name) => commandsIn(read(name)).map((command) => [name, command]));
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter(([, command]) => !exists(String(command)))).toEqual([]);
});

test('the events of a topic are consumed by the services that read it', () => {
  const found = new Map<string, Set<string>>();
  for (const [type, services] of eventConsumers(root)) {
    const topic = found.get(topicOf[type]) ?? new Set();
    found.set(topicOf[type], topic);
    for (const service of services) topic.add(service);
  }
  for (const [topic, services] of found) {
    expect([topic, [...services].sort()]).toEqual([topic, [...topicConsumers[topic as keyof typeof topicConsumers]].sort()]);
  }
});

test.each(Object.entries(storedCollections))(
  'every declared index of %s serves its reads without a scan and without a sort',
  async (_service, declared) => {
    const db = new SqliteDatabase(':memory:');
    db.declare(sqliteSchema(declared));
    const driver = new SqliteStoreDriver({ db });
    const found: string[] = [];
    for (const index of declared.flatMap(({ indexes }) => indexes)) {
      // By its first fields. Over everything, an index is read from one end.
      for (let fixed = 1; fixed <= index.declared; fixed += 1) {
        const eq = index.fields.slice(0, fixed).map(() => 'x');
        const wrong = await driver.plan(index, { eq, limit: 10, backwards: false });
        found.push(...wrong.map((why) => `${index.collection.name}.${index.name}: ${why}`));
      }
    }
    db.close();
    expect(found).toEqual([]);
  },
);

const folder = 'clients/python/src/parcelway';
const files = pythonFiles(root);

test.each([...files.keys()])('%s is as `npm run docs` writes it', (name) => {
  expect(read(name)).toBe(files.get(name));
});

test('no file is left over from before', () => {
  const there = readdirSync(join(root, folder, '_generated')).filter((name) => name.endsWith('.py'));
  expect(there.map((name) => `${folder}/_generated/${name}`).sort()).toEqual(
    [...files.keys()].filter((name) => name.includes('_generated')).sort(),
  );
});

test('both kinds of clients for Python have the methods of the client for Node', () => {
  for (const [prefix, byHand] of [
    ['', '_by_hand'],
    ['async_', '_async_by_hand'],
  ]) {
    const text = `${files.get(`${folder}/_generated/${prefix}resources.py`)}${read(`${folder}/${byHand}.py`)}`;
    for (const { call } of pythonMethods()) expect(text).toMatch(new RegExp(`def ${call.replace(/^\w+\./, '').replace(/\(.*/, '')}\\(`));
  }
});

test('no type is left open', () => {
  for (const [name, text] of files)
    expect([name, text.replace(/"""[\s\S]*?"""/g, '').match(/\bAny\b|undefined|\[object/)]).toEqual([name, null]);
});
