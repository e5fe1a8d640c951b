// The software bill of materials, as `npm sbom` writes it for the whole repository, cut down to what ships.
import { spawnSync } from 'node:child_process';
import type { ShippedPackage } from './production-packages.ts';

/** Asking npm takes a second or two. */
const DEADLINE_MS = 60_000;

/** A package in the bill. */
export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}

/** A bill of materials in CycloneDX, as far as it is looked at. */
export interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The bill of everything in the lock file, tools and tests included; needs neither an installation nor a network. @throws Error when npm fails */
function billOfRepository(root: string): Bill & { readonly serialNumber: string } {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    timeout: DEADLINE_MS,
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return JSON.parse(stdout) as Bill & { readonly serialNumber: string };
}

/** Name of a package in the bill. One that is installed at two places in the same version is listed once. */
const refOf = ({ name, version }: ShippedPackage): string => `${name}@${version}`;

/**
 * The bill of materials of the image, without its base image, whose own one its publisher has. The same lock gives the same bytes: the
 * random number and the time that npm puts in are left out.
 * @param root the checkout
 * @param packages what ships, each with a licence
 * @throws Error when npm's bill lacks a package that ships
 */
export function billOfMaterials(root: string, packages: readonly ShippedPackage[]): Bill {
  const { serialNumber: _random, ...bill } = billOfRepository(root);
  const byRef = new Map(bill.components.map((component) => [component['bom-ref'], component]));
  const shipped = new Map(packages.map((each) => [refOf(each), each]));
  const components = [...shipped].map(([ref, { name, license = '' }]) => {
    const found = byRef.get(ref);
    if (found === undefined) throw new Error(`npm sbom does not list ${ref}, which ships`);
    // npm names a workspace by its folder.
    const component = { ...found, name };
    // npm says nothing of a licence that the manifest does not name.
    return component.licenses === undefined ? { ...component, licenses: [{ license: { id: license } }] } : component;
  });
  const { component } = bill.metadata;
  const needed = new Set(bill.dependencies.filter(({ ref }) => shipped.has(ref)).flatMap(({ dependsOn }) => dependsOn));
  const dependencies = bill.dependencies.flatMap(({ ref, dependsOn }) => {
    if (ref === component['bom-ref']) return { ref, dependsOn: [...shipped.keys()].filter((each) => !needed.has(each)) };
    return shipped.has(ref) ? { ref, dependsOn: dependsOn.filter((each) => shipped.has(each)) } : [];
  });
  return { ...bill, metadata: { component: { ...component, name: 'parcelway' } }, components, dependencies };
}
