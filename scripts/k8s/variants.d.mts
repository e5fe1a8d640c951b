/** One way to build k8s/: an overlay with optional parts. */
export interface Variant {
  readonly name: string;
  readonly overlay: string;
  readonly components: readonly string[];
}
export declare const variants: readonly Variant[];
