import type { KubernetesTools } from '../tools/kubernetes.mjs';
import type { Variant } from './variants.mjs';

export declare function kubeconform(tools: KubernetesTools, version: string, files: readonly string[]): string[];
export declare function kubeScore(tools: KubernetesTools, variant: Pick<Variant, 'components'>, file: string): string[];
export declare const scoredBadly: RegExp;
