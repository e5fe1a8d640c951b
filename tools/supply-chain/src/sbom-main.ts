// `npm run sbom`: the software bill of materials of the image (CycloneDX), and the licences of what is in it. Needs no network.
//   --output <file>    writes the bill there instead of to standard output
//   --notices <file>   writes the licence texts of others there; needs an installation
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './bill-of-materials.ts';
import { licenceFaults } from './licences.ts';
import { thirdPartyNotices } from './notices.ts';
import { productionPackages } from './production-packages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { values } = parseArgs({ options: { output: { type: 'string' }, notices: { type: 'string' } } });

const packages = productionPackages(root);
const faults = licenceFaults(packages);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else {
  const bill = `${JSON.stringify(billOfMaterials(root, packages), null, 2)}\n`;
  if (values.output === undefined) process.stdout.write(bill);
  else writeFileSync(values.output, bill);
  if (values.notices !== undefined) writeFileSync(values.notices, thirdPartyNotices(packages, root));
  const others = packages.filter(({ own }) => !own).length;
  console.error(
    `${packages.length} packages: ${packages.length - others} of our own, ${others} of others, every one with an allowed licence`,
  );
}
