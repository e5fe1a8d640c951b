import type { ShippedPackage } from './production-packages.mjs';

/** SPDX identifiers of what may ship. */
export declare const ALLOWED: readonly string[];
/** True when an SPDX expression can be met by allowed licences alone. */
export declare function isAllowed(expression: string): boolean;
/** What must not ship as it is, in sentences. */
export declare function licenceFaults(packages: readonly ShippedPackage[]): string[];
