// `npm run contracts` holds the contracts of today against those of the releases; `npm run contracts:release` writes them down for
// a release. docs/contracts.md says how to change a contract. Options: --json, and --same: fail unless the file of this version is as
// the contracts are today, which a release asks for.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { currentContracts } from '@parcelway/contracts/compatibility/contract-bundle';
import {
  acceptedChanges,
  judgeContracts,
  releasedContracts,
  releasedFolder,
  type Verdict,
} from '@parcelway/contracts/compatibility/released';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' }, same: { type: 'boolean' } } });
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
const file = new URL(`${version}.json`, releasedFolder);
const current = currentContracts(version);
const text = `${JSON.stringify(current, null, 2)}\n`;
const releasing = positionals[0] === 'release';

function show({ breaking, stale }: Verdict) {
  for (const { id, change, since } of breaking) console.log(`BREAKS ${id}\n  ${change}\n  Otherwise in: ${since.join(', ')}\n`);
  for (const id of stale) console.log(`stale  accepted.json has "${id}", which no comparison finds: remove it`);
  console.log(
    `${breaking.length} breaking, compared with ${
      releasedContracts()
        .map((each) => each.version)
        .join(', ') || 'nothing: there is no release yet'
    }`,
  );
}

const verdict = judgeContracts(releasedContracts(), current, acceptedChanges());
const ok = verdict.breaking.length === 0 && verdict.stale.length === 0;
if (values.json) console.log(JSON.stringify(verdict, null, 2));
else show(verdict);

if (!ok) {
  process.exitCode = 1;
  if (releasing)
    console.error(`${version}.json is not written: fix what breaks, or accept it in packages/contracts/released/accepted.json`);
} else if (releasing) {
  writeFileSync(file, text);
  console.error(`written: ${fileURLToPath(file)}`);
} else if (values.same && (!existsSync(file) || readFileSync(file, 'utf8') !== text)) {
  process.exitCode = 1;
  console.error(`packages/contracts/released/${version}.json is not what the contracts are: run npm run contracts:release and commit it`);
}
