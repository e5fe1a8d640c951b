// Takes the bill of materials of the whole repository from standard input (`npm sbom`), and writes what ships:
//   --bill <file>      the bill without development dependencies; by default to standard output
//   --notices <file>   the licence texts of others; needs an installation
// `npm sbom --omit=dev` would leave out what only workspaces need, which is nearly everything.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { licenceFaults, shippedPackages, thirdPartyNotices } from './licences.ts';

/** The part of a bill in CycloneDX that is looked at. */
interface Bill {
  readonly serialNumber?: string;
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string; readonly version: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { values } = parseArgs({ options: { bill: { type: 'string' }, notices: { type: 'string' } } });
const packages = shippedPackages(root);
const faults = licenceFaults(packages);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
const { serialNumber: _random, ...bill } = JSON.parse(readFileSync(0, 'utf8')) as Bill;
const shipped = new Set(packages.map(({ name, version }) => `${name}@${version}`));
const components = bill.components.filter(({ name, version }) => shipped.has(`${name}@${version}`));
if (components.length !== shipped.size) throw new Error(`npm sbom lists ${components.length} of the ${shipped.size} packages that ship`);
const refs = new Set(components.map((component) => component['bom-ref']));
const dependencies = bill.dependencies.flatMap(({ ref, dependsOn }) =>
  refs.has(ref) ? { ref, dependsOn: dependsOn.filter((each) => refs.has(each)) } : [],
);
const text = `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`;
if (values.bill === undefined) process.stdout.write(text);
else writeFileSync(values.bill, text);
if (values.notices !== undefined) writeFileSync(values.notices, thirdPartyNotices(packages, root));
console.error(`${packages.length} packages of others, every one with an allowed licence`);
