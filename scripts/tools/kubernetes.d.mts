/** Paths of the programs, and of the folder of schemas. */
export type KubernetesTools = Readonly<Record<'kustomize' | 'kubeconform' | 'kube-score' | 'yq' | 'schemas', string>>;
export declare const kubernetesVersions: readonly string[];
export declare function ensureKubernetesTools(env: Readonly<Record<string, string | undefined>>): Promise<KubernetesTools>;
