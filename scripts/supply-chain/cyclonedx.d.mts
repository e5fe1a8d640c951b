import type { ShippedPackage } from './production-packages.mjs';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string; readonly version: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The bill of materials as CycloneDX 1.5; the same for the same packages. */
export declare function cycloneDx(
  packages: readonly ShippedPackage[],
  product: { readonly name: string; readonly version: string; readonly license: string },
): Bill;
