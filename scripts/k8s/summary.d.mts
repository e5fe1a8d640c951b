interface Step {
  readonly name: string;
  readonly ok: boolean;
  readonly output?: string;
}
interface Run extends Step {
  readonly passed: number;
  readonly failed: number;
}
export declare function notedProblems(rendered: string): string[];
export declare function summaryOf(outcome: {
  readonly steps: readonly Step[];
  readonly runs: readonly Run[];
  readonly noted: readonly string[];
  readonly skipped: readonly string[];
  readonly seconds: number;
}): { readonly ok: boolean; readonly text: string };
