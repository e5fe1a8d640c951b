// Which licences what ships may have: those that ask for no more than their text and the names of the authors.
import type { ShippedPackage } from './production-packages.ts';

/** SPDX identifiers. Another one is a decision: docs/releasing.md says whose. */
export const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1', 'Unlicense'];

/** True when an SPDX expression of identifiers, AND, OR and brackets can be met by allowed licences alone. */
export function isAllowed(expression: string) {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const atom = (): boolean => {
    const token = tokens[at++] ?? '';
    if (token !== '(') return ALLOWED.includes(token);
    const inner = any();
    return tokens[at++] === ')' && inner;
  };
  const all = (): boolean => {
    let result = atom();
    while (tokens[at] === 'AND') {
      at += 1;
      result = atom() && result;
    }
    return result;
  };
  const any = (): boolean => {
    let result = all();
    while (tokens[at] === 'OR') {
      at += 1;
      result = all() || result;
    }
    return result;
  };
  return any() && at === tokens.length;
}

/** What must not ship as it is, in sentences; empty when all is well. */
export function licenceFaults(packages: readonly ShippedPackage[]) {
  return packages.flatMap(({ name, version, license }) => {
    if (!license) return [`${name}@${version} names no licence: nobody may use it until it does; replace it`];
    if (isAllowed(license)) return [];
    return [
      `${name}@${version} has the licence ${license}; allowed are ${ALLOWED.join(', ')}. Replace it, or decide on the licence (docs/releasing.md)`,
    ];
  });
}
