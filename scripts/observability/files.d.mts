/** A panel, as far as it is looked at. */
export interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}
/** The dashboards, by the names of their files. */
export declare const dashboards: Readonly<
  Record<string, { readonly uid: string; readonly title: string; readonly tags: readonly string[]; readonly panels: readonly Panel[] }>
>;
/** Every file of k8s/observability that is made: path from the root to its text. */
export declare function observabilityFiles(root: string): Map<string, string>;
