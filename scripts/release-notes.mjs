// `node scripts/release-notes.mjs v1.2.3`: the changelog's section of a version, for its release. Fails when the tag is not the version of
// package.json, or when the changelog has no section of that version with a date.
import { readFileSync } from 'node:fs';
import { releaseNotes } from './supply-chain/changelog-section.mjs';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

try {
  process.stdout.write(releaseNotes(process.argv[2] ?? '', JSON.parse(read('package.json')).version, read('CHANGELOG.md')));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
