/** A mutant in a result of Stryker. */
export interface Mutant {
  readonly status: string;
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>;
  readonly mutatorName: string;
  readonly replacement: string;
}
/** A file in a result of Stryker. */
export interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}
/** Kept results of a service: of each file the latest, with the commit at which it was measured. */
export interface Kept {
  readonly failing: readonly string[];
  readonly files: Readonly<Record<string, MutatedFile & { readonly commit: string }>>;
}
/** Counts of mutants. */
export interface Counts {
  readonly mutants: number;
  readonly killed: number;
  readonly timeouts: number;
  readonly survived: number;
  readonly unreached: number;
  readonly invalid: number;
  /** Per cent with one decimal, rounded down. */
  readonly score: number;
}
/** What the results of a service come to. */
export interface Row extends Counts {
  readonly service: string;
  readonly commits: readonly string[];
  /** Files without a result. */
  readonly missing: readonly string[];
  readonly failing: readonly string[];
  readonly files: readonly (Counts & { readonly file: string; readonly commit: string })[];
  readonly survivors: readonly unknown[];
}
/** Kept results with those of a run in place of the former ones. */
export declare function merge(
  kept: Kept | undefined,
  report: { readonly files: Readonly<Record<string, MutatedFile>> },
  run: {
    readonly commit: string;
    readonly failing: readonly string[];
    readonly mutated: readonly string[];
    readonly sources: readonly string[];
  },
): Kept;
/** What kept results come to. */
export declare function rowOf(service: string, kept: Kept, sources: readonly string[]): Row;
/** Sums of rows. */
export declare function total(rows: readonly Row[]): Counts & { readonly service: string };
/** Survivors as text, one a line. */
export declare function survivorLines(rows: readonly Row[]): readonly string[];
/** A Markdown table of the rows and their sum. */
export declare function table(rows: readonly Row[]): string;
/** The document with its table made anew. */
export declare function withTable(markdown: string, rows: readonly Row[]): string;
