/** The metrics that an expression asks for, each with the labels by which it chooses, and the labels by which it groups and joins. */
export declare function namesIn(expression: string): {
  readonly series: readonly { readonly name: string; readonly labels: readonly string[] }[];
  readonly grouping: readonly string[];
};
