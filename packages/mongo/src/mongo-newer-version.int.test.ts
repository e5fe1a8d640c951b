import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import { writeNewerVersion } from './mongo-newer-version.ts';
import { openTestDatabase, type TestDatabase } from './testing/mongo-test-database.ts';

interface Note {
  readonly _id: string;
  readonly owner: string;
  readonly version: number;
  readonly text: string;
}

const schema = new Schema<Note>({ _id: String, owner: String, version: Number, text: String });
schema.index({ owner: 1 }, { name: 'by_owner', unique: true });
const notes = defineCollection<Note>('notes', schema, { sharding: { unsharded: 'a test' } });

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase([notes]);
});
afterAll(() => opened.close());

const collection = () => opened.database.model(notes).collection;
const write = (id: string, version: number, text = `text ${version}`) =>
  writeNewerVersion(opened.database, collection(), { key: { _id: id }, fields: { version, owner: id, text } });
const stored = (id: string) => opened.database.model(notes).findById(id, { version: 1, text: 1, _id: 0 }).lean();

test('stores what is newer, and leaves what is not', async () => {
  await write('a', 2);
  await write('a', 1);
  await write('a', 2, 'another text');
  expect(await stored('a')).toEqual({ version: 2, text: 'text 2' });
  await write('a', 3);
  expect(await stored('a')).toEqual({ version: 3, text: 'text 3' });
});

test('the newest is stored when several versions arrive at once where there is none', async () => {
  for (let round = 0; round < 100; round += 1) {
    const id = `round ${round}`;
    await Promise.all([3, 1, 2, 1].map((version) => write(id, version)));
    expect(await stored(id)).toEqual({ version: 3, text: 'text 3' });
  }
});

test('a violated index that is not of the key is an error', async () => {
  await write('b', 1);
  const fields = { version: 1, owner: 'b' };
  await expect(writeNewerVersion(opened.database, collection(), { key: { _id: 'c' }, fields })).rejects.toMatchObject({ code: 11_000 });
});
