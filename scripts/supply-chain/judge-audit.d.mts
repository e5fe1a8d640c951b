/** How bad a finding is, from the least. */
export declare const LEVELS: readonly string[];
/** What the answer of `npm audit --json` means: findings from `level` on are not ok; no answer is, unless one `isRequired`. */
export declare function judgeAudit(
  output: string,
  level: string,
  isRequired?: boolean,
): { readonly ok: boolean; readonly lines: readonly string[] };
