import type { ShippedPackage } from './production-packages.mjs';

/** One text with the licences of all packages that are not ours. @throws Error when one is not installed */
export declare function thirdPartyNotices(packages: readonly ShippedPackage[], root: string): string;
