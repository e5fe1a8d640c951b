/** A rule of a rule file. */
export interface Rule {
  readonly kind: 'alert' | 'record';
  readonly name: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
/** Reads a rule file; throws Error for a line of another form. */
export declare function readRules(text: string): Rule[];
