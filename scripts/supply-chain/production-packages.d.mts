/** A package that ships. */
export interface ShippedPackage {
  /** Place in the lock file, such as `node_modules/ajv`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** As the package names it: an SPDX expression. */
  readonly license: string | undefined;
  readonly integrity: string | undefined;
  /** True for a workspace of this repository. */
  readonly own: boolean;
  /** Paths of those that it needs. */
  readonly dependencies: readonly string[];
}

/** The workspace that the image is made of. */
export declare const IMAGE_WORKSPACE: string;
/** Packages of which a copy is inside the console's page. */
export declare const BUNDLED: readonly string[];
/** Every package that ships, by path. @throws Error when the lock lacks one that another needs */
export declare function productionPackages(root: string): ShippedPackage[];
