import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@parcelway/tools-testing/jest-run';
import { runStep } from '@parcelway/tools-testing/run-step';
import { customResourceFiles } from '../kubernetes-tools.ts';
import { startCluster } from './cluster.ts';
import { ensureClusterPrograms, hasClusterPrograms } from './cluster-programs.ts';
import { type Manual, readManual } from './manual.ts';

const STEP_MS = 10 * 60_000;
/** Environments, with the least replicas of each service. */
const REPLICAS: Readonly<Record<string, number>> = { sandbox: 2, production: 3 };

/** What the checks of a step use besides kubectl. */
const helpers = `
in_namespace() { kubectl --namespace "parcelway-$E" "$@"; }
same() { [ "$1" = "$2" ] || { echo "expected: $2"; echo "is: $1"; exit 1; }; }
images() { in_namespace get deployment --output jsonpath='{range .items[*]}{.spec.template.spec.containers[0].image}{"\\n"}{end}' | sort -u; }
jobs() { in_namespace get job --selector app.kubernetes.io/name=migrate --output name | wc -l; }
all_ready() { in_namespace wait deployment --all --for=jsonpath='{.status.readyReplicas}'="$1" --timeout=3m; in_namespace rollout status deployment --timeout=3m; }
`;

interface ManualStep {
  readonly name: string;
  /** Changes the overlay first. */
  readonly edit?: () => unknown;
  readonly run: string;
}

/** The overlay of an environment, in a copy of k8s/. */
function overlayOf(work: string, environment: string) {
  const folder = join(work, 'k8s', 'overlays', environment);
  const former: string[] = [];
  const change = (from: string | RegExp, to: string, name = 'kustomization.yaml') => {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} does not have ${from}`);
    writeFileSync(file, changed);
    return text;
  };
  return {
    change,
    components: (names: readonly string[]) =>
      change(/^components: .*$/m, `components: [${names.map((name) => `../../components/${name}`).join(', ')}]`),
    /** Adds what the manual shows to a list. */
    add: (yaml: string) => {
      const [list = '', ...entries] = yaml.split('\n');
      former.push(change(`\n${list}\n`, `\n${list}\n${entries.join('\n')}`));
    },
    /** Takes out what was added. */
    takeOut: () => writeFileSync(join(folder, 'kustomization.yaml'), former.splice(0)[0] ?? ''),
  };
}

/** An environment, and the blocks of the manual in its name. */
interface Subject {
  readonly work: string;
  readonly environment: string;
  readonly block: (section: string, having: string | RegExp) => string;
  readonly overlay: ReturnType<typeof overlayOf>;
  /** Waits for as many replicas as the overlay has at least. */
  readonly ready: string;
}

const images = (tag: string) => `same "$(images)" registry.example.com/parcelway:${tag}`;
const noPods = `same "$(in_namespace get pods --selector app.kubernetes.io/component=service --output name)" ''`;

function startSteps({ environment, block, overlay, ready }: Subject): ManualStep[] {
  return [
    { name: 'shows its manifests', run: block('# Kubernetes', 'kubectl kustomize') },
    { name: 'secrets', run: block('Secrets', 'make internal') },
    {
      name: 'first start with a wrong address',
      edit: () => overlay.change('KAFKA_BROKERS=kafka-1.', 'KAFKA_BROKERS=kafka-0.'),
      run: `kubectl apply --kustomize k8s/overlays/${environment}; same "$(jobs)" 1`,
    },
    {
      name: 'first start',
      edit: () => overlay.change('KAFKA_BROKERS=kafka-0.', 'KAFKA_BROKERS=kafka-1.'),
      run: `${block('First start', 'rollout status')}\nsame "$(jobs)" 2; ${ready}; kubectl diff --kustomize k8s/overlays/${environment}`,
    },
    {
      name: 'migrate step once more',
      run: `${block('First start', 'delete job')}\nin_namespace wait job --all --for=condition=complete --timeout=1m; same "$(jobs)" 1`,
    },
  ];
}

function rolloutSteps({ block, overlay, ready }: Subject): ManualStep[] {
  const settings = block('Rolling out', 'overlays/sandbox && kubectl');
  return [
    { name: 'changed setting', edit: () => overlay.change('LOG_LEVEL=info', 'LOG_LEVEL=debug'), run: `${settings}\n${ready}` },
    {
      name: 'upgrade',
      edit: () => overlay.change('newTag: 0.1.0', 'newTag: 0.2.0'),
      run: `${block('Rolling out', 'finished() {')}\n${block('Rolling out', 'for service in gateway')}\n${images('0.2.0')}; ${ready}
        newest=$(in_namespace get replicaset --sort-by=.metadata.creationTimestamp --output jsonpath='{.items[*].metadata.labels.app\\.kubernetes\\.io/name}')
        same "$(tr ' ' '\\n' <<< "$newest" | tail -n 6 | head -n 3 | xargs)" 'gateway forecast tracking'`,
    },
    {
      name: 'upgrade by applying alone',
      edit: () => overlay.change('newTag: 0.2.0', 'newTag: 0.3.0'),
      run: `${settings}\n${images('0.3.0')}; ${ready}`,
    },
    {
      name: 'rollback',
      edit: () => overlay.change('newTag: 0.3.0', 'newTag: 0.2.0'),
      run: `${block('Rolling out', 'rollout undo')}\n${images('0.2.0')}; ${ready}; ${settings}\n${images('0.2.0')}`,
    },
    {
      name: 'old ConfigMaps',
      run: `in_namespace create configmap services-0000000000; in_namespace label configmap services-0000000000 app.kubernetes.io/part-of=parcelway
        old=$(${block('Rolling out', 'named=$(')}); same "$old" configmap/services-0000000000`,
    },
    {
      name: 'a node is drained',
      run: `${block('Rolling out', 'kubectl drain')}\nsame "$(in_namespace get pods --field-selector spec.nodeName=worker-1 --output name)" ''
        kubectl uncordon worker-1; ${ready}`,
    },
  ];
}

function partitionSteps({ block, overlay, ready }: Subject): ManualStep[] {
  const section = 'More partitions';
  return [
    {
      name: 'more partitions, relays off',
      edit: () => overlay.add(block(section, 'OUTBOX_RELAY=off')),
      run: `${block(section, /^kubectl apply/)}${block(section, 'get pods')}${ready}`,
    },
    {
      name: 'more partitions, added',
      edit: () => overlay.add(block(section, '--partitions')),
      run: `${block('Rolling out', 'finished() {')}\n${block(section, 'job=')}\nin_namespace get "$job" --output yaml | grep -e --partitions`,
    },
    {
      name: 'more partitions, relays on',
      edit: () => overlay.takeOut(),
      run: `${block(section, /^kubectl .* delete job .*\nkubectl apply/)}\n${ready}; same "$(jobs)" 1`,
    },
  ];
}

function optionalSteps({ work, environment, block, overlay, ready }: Subject): ManualStep[] {
  const section = 'Backup and restore';
  const finished = block('Rolling out', 'finished() {');
  const rename = (name: string, file?: string) => overlay.change(name, name.replace(environment, `restored-${environment}`), file);
  return [
    {
      name: 'KEDA on',
      edit: () => overlay.components(['keda']),
      run: `${block('Optional parts', /^kubectl apply/)}
        taken=$(in_namespace get scaledobject --output jsonpath='{.items[*].spec.advanced.horizontalPodAutoscalerConfig.name}')
        same "$(wc -w <<< "$taken")" 5; in_namespace get hpa $taken`,
    },
    {
      name: 'backup, with every optional part',
      edit: () => {
        overlay.components(['keda', 'pod-monitor', 'otlp', 'backup']);
        writeFileSync(join(work, `volume-${environment}.yaml`), block(section, 'PersistentVolumeClaim'));
      },
      run: `kubectl apply --filename volume-${environment}.yaml; kubectl apply --kustomize k8s/overlays/${environment}
        ${block(section, 'backup-now')}\n${finished}\nfinished ${environment} job/backup-now`,
    },
    { name: 'restore, services stopped', run: `${block(section, '--replicas=0')}\n${noPods}` },
    {
      name: 'restore, under other names',
      edit: () => {
        rename(`RESOURCE_PREFIX=parcelway-${environment}`);
        rename(`S3_BUCKET=parcelway-${environment}`);
        rename(`KAFKA_PREFIX=${environment}.`);
        rename(`prefix: ${environment}.`, 'kafka-names.yaml');
        overlay.add(
          'patches:\n  - target: { kind: CronJob, name: backup }\n    patch: |-\n      - { op: add, path: /spec/suspend, value: true }\n',
        );
      },
      run: `${finished}\n${block(section, 'finished production "$job"')}\n${noPods}`,
    },
    {
      name: 'restore',
      run: `${finished}\n${block(section, 'args=')}\nfinished ${environment} job/restore; in_namespace get job restore --output yaml | grep -w restore`,
    },
    {
      name: 'restore, services started',
      run: `${block(section, '--replicas=1')}\nsame "$(in_namespace get cronjob backup --output jsonpath='{.spec.suspend}')" true`,
    },
    {
      name: 'KEDA off',
      edit: () => {
        overlay.takeOut();
        overlay.components(['backup']);
      },
      run: `${block('Optional parts', 'delete scaledobject')}
        same "$(in_namespace get hpa --output name | wc -l) $(in_namespace get scaledobject --output name | wc -l)" '6 0'; ${ready}`,
    },
  ];
}

/** What an operator does with an environment, in this order, by the commands of the manual. */
function stepsOf(manual: Manual, work: string, environment: string): ManualStep[] {
  const [other = ''] = Object.keys(REPLICAS).filter((name) => name !== environment);
  // On KWOK's nodes a log has no end, so it is not followed.
  const block = (section: string, having: string | RegExp) =>
    manual.block(section, having).replaceAll(other, environment).replaceAll(' --follow', '');
  const subject = { work, environment, block, overlay: overlayOf(work, environment), ready: `all_ready ${REPLICAS[environment]}` };
  const steps = [startSteps, rolloutSteps, partitionSteps, optionalSteps].flatMap((part) => part(subject));
  return steps.map((step) => ({ ...step, name: `${environment}: ${step.name}`, run: `E=${environment}\n${helpers}\n${step.run}` }));
}

/** Files that the commands of the manual name, beside a copy of k8s/. */
function prepare(work: string, certificates: string) {
  cpSync(join(root, 'k8s'), join(work, 'k8s'), { recursive: true });
  for (const name of ['carriers.json', 'tracking-sources.json']) writeFileSync(join(work, name), '{}');
  cpSync(join(certificates, 'apiserver.crt'), join(work, 'fullchain.pem'));
  cpSync(join(certificates, 'apiserver.key'), join(work, 'key.pem'));
}

/**
 * Applies both overlays to an API server, and does by the commands of docs/kubernetes.md what an operator does. Prints a line for each step.
 * @param ifCached skips when the programs of a cluster would have to be built
 */
export async function checkApi({ ifCached }: { ifCached: boolean }): Promise<{ passed: number; failed: number }> {
  if (ifCached && !hasClusterPrograms()) {
    console.log('skipped: an API server is not built yet; npm run check:cluster -- --only api builds it, in 15 minutes on two cores');
    return { passed: 0, failed: 0 };
  }
  const programs = await ensureClusterPrograms();
  const resources = await customResourceFiles();
  const folder = mkdtempSync(join(tmpdir(), 'parcelway-cluster-'));
  const work = join(folder, 'work');
  mkdirSync(work);
  const cluster = await startCluster(programs, folder);
  const counts = { passed: 0, failed: 0 };
  const run = async (name: string, script: string) => {
    const command = ['bash', '-euo', 'pipefail', '-c', script];
    const { ok } = await runStep({ name, command, env: cluster.env, timeoutMs: STEP_MS }, work);
    counts[ok ? 'passed' : 'failed'] += 1;
    return ok;
  };
  try {
    prepare(work, join(folder, 'certificates'));
    const manual = readManual(root);
    await run('custom resources', `kubectl create ${resources.map((file) => `--filename '${file}'`).join(' ')}`);
    for (const environment of Object.keys(REPLICAS)) {
      for (const { name, edit, run: script } of stepsOf(manual, work, environment)) {
        edit?.();
        // Each begins where the one before has ended.
        if (!(await run(name, script))) break;
      }
    }
    await run('a copied overlay', `${manual.block('Edit in place, or copy', 'cp -r')}\nkubectl kustomize k8s/overlays/acme > acme.yaml`);
    const missed = manual.notRun();
    await run('every block of the manual', missed.length === 0 ? 'true' : `cat <<'END'\nnot run:\n${missed.join('\n')}\nEND\nfalse`);
    console.log(`left out: ${manual.leftOut()}`);
  } finally {
    await cluster.stop();
    if (counts.failed === 0) rmSync(folder, { recursive: true });
    else console.log(`logs are in ${folder}`);
  }
  return counts;
}
