/** One way to build k8s/: an overlay with optional parts. */
export interface Variant {
  readonly name: string;
  readonly overlay: string;
  /** Of the overlay, in the repository. */
  readonly folder: string;
  readonly components: readonly string[];
}
export declare const environments: readonly string[];
export declare const variants: readonly Variant[];
export declare const examples: readonly Variant[];
export declare const RENDERED: string;
