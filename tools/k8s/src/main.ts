// `npm run check:k8s`: checks what is in k8s/ without a cluster. Builds every overlay, holds it against the schemas of Kubernetes and
// against its habits, then runs the tests in tools/k8s/src/checks. The last line is `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { observabilitySteps } from '@parcelway/tools-observability/steps';
import { type JestOutcome, report, root, runJest } from '@parcelway/tools-testing/jest-run';
import { runStep, type StepOutcome } from '@parcelway/tools-testing/run-step';
import { kubeconform, kubeScore, scoredBadly } from './commands.ts';
import { documentsOf, ensureKubernetesTools, kubernetesVersions } from './kubernetes-tools.ts';
import { emptyRendered, environments, sourceOf, variants } from './variants.ts';

const started = performance.now();
const tools = await ensureKubernetesTools();
const rendered = emptyRendered(root);
const fileOf = ({ name }: { readonly name: string }) => join(rendered, `${name}.yaml`);

const skipped: string[] = [];

const builds = variants.map((variant) => ({
  name: `kustomize builds ${variant.name}`,
  command: [tools.kustomize, 'build', sourceOf(root, variant), '--output', fileOf(variant)],
}));

const schemaChecks = kubernetesVersions.map((version) => ({
  name: `kubeconform, Kubernetes ${version}`,
  command: kubeconform(tools, version, [...variants.map(fileOf), fileOf({ name: 'observability' })]),
}));

const scored = variants.filter(({ overlay }) => environments.includes(overlay));
const scores = scored.map((variant) => ({
  name: `kube-score, ${variant.name}`,
  command: kubeScore(tools, variant, fileOf(variant)),
  shown: scoredBadly,
}));

const steps: StepOutcome[] = [];
const watching = await observabilitySteps({ root, kustomize: tools.kustomize, rendered });
for (const step of [...builds, ...watching]) steps.push(await runStep(step, root));
const runs: JestOutcome[] = [];
// What could not be built would only fail again.
if (steps.every(({ ok, name }) => ok || !name.startsWith('kustomize'))) {
  for (const variant of variants) writeFileSync(join(rendered, `${variant.name}.json`), JSON.stringify(documentsOf(fileOf(variant))));
  for (const step of [...schemaChecks, ...scores]) steps.push(await runStep(step, root));
  runs.push(
    await runJest({ project: 'k8s', name: 'checks of every overlay', args: ['--testPathPatterns', 'tools/k8s/src/checks/overlays'] }),
  );
  // They plant faults into an overlay: where that has a fault already, they say nothing new.
  if (runs.every(({ ok }) => ok))
    runs.push(
      await runJest({ project: 'k8s', name: 'tests of the checks', args: ['--testPathPatterns', 'tools/k8s/src/checks/(?!overlays)'] }),
    );
  else skipped.push('tests of the checks: an overlay has problems, fix those first');
} else skipped.push('kubeconform, kube-score, checks of every overlay: an overlay does not build');

for (const each of skipped) console.log(`skipped: ${each}`);
process.exitCode = report(runs, steps, started) ? 0 : 1;
