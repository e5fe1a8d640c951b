import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from '@parcelway/harness/program';
import { messageOf } from '@parcelway/tools-servers/caught-error';
import { waitUntil } from '@parcelway/tools-servers/wait-until';
import { root } from '@parcelway/tools-testing/jest-run';
import { openRealServers } from '@parcelway/tools-testing/real-servers';
import { type Container, type Manifest, type Probe, settingsOf, type Workload, workloadsOf } from '../checks/manifests.ts';
import { secretSamples } from '../checks/secret-samples.ts';
import { documentsOf, ensureKubernetesTools, type KubernetesTools } from '../kubernetes-tools.ts';
import { emptyRendered, sourceOf, type Variant, variants } from '../variants.ts';
import { enter, enterProcess, whyNot } from './enter-root.ts';
import { assembleImage, type Image } from './image.ts';
import { type PodProcess, processOf, type Stage } from './pod-container.ts';

/** A Job has its servers here, and little to do. */
const JOB_MS = 120_000;
const ASK_MS = 3000;
const DOCTOR_ATTEMPTS = 3;
/** Lines of a log that are shown of what failed. */
const TAIL = 15;
const newSecret = (): string => randomBytes(32).toString('base64url');
const ADMIN_TOKEN = newSecret();

type Env = Readonly<Record<string, string | undefined>>;

/** A container, and how it starts here. */
interface Subject extends PodProcess {
  readonly name: string;
  readonly workload: Workload;
  readonly container: Container;
  readonly address: string;
}

/** A service that was started. */
interface Running {
  readonly subject: Subject;
  readonly program: Program;
}

const tail = (output: string): string => output.trim().split('\n').slice(-TAIL).join('\n      ');
const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;

const outputOf = ({ stdout, stderr }: Program): string => stdout + stderr;

/** Waits for the end of a process, which is killed when it takes too long. @throws Error with the end of its output when it does not end with 0 */
async function endWell(program: Program, limitMs: number): Promise<string> {
  const start = performance.now();
  const timer = setTimeout(() => program.end('SIGKILL'), limitMs);
  const { code } = await program.end();
  clearTimeout(timer);
  if (code !== 0) throw new Error(`ended with ${code ?? `a signal, ${limitMs / 1000} s at most`}\n      ${tail(outputOf(program))}`);
  return `ended with 0 after ${secondsSince(start)}`;
}

const runToEnd = ({ surroundings, command }: Subject): Promise<string> => endWell(enter(surroundings, command), JOB_MS);

/** @throws Error when a probe is not right */
async function ask({ httpGet }: Probe, { container, address }: Subject): Promise<void> {
  const { path = '', port } = httpGet ?? {};
  const number = typeof port === 'number' ? port : container.ports?.find(({ name }) => name === port)?.containerPort;
  const { status } = await fetch(`http://${address}:${number}${path}`, { signal: AbortSignal.timeout(ASK_MS) });
  if (status !== 200) throw new Error(`${path} responds with ${status}`);
}

/** Waits for all probes, for as long as the kubelet waits for the first. */
async function becomeReady({ subject, program }: Running): Promise<string> {
  const start = performance.now();
  const stop = () => (program.running ? undefined : new Error(`ended before it was ready\n      ${tail(outputOf(program))}`));
  const { startupProbe, readinessProbe, livenessProbe } = subject.container;
  if (!startupProbe || !readinessProbe || !livenessProbe) throw new Error('lacks a startupProbe, readinessProbe or livenessProbe');
  const { periodSeconds = 10, failureThreshold = 3 } = startupProbe;
  const deadlineMs = periodSeconds * failureThreshold * 1000;
  for (const probe of [startupProbe, readinessProbe, livenessProbe]) await waitUntil(() => ask(probe, subject), { deadlineMs, stop });
  return `ready after ${secondsSince(start)}`;
}

/** What every runbook names first, as `kubectl exec` would run it. On a machine that is busy its own deadlines may be over: it has further attempts. */
async function examine({ subject, program }: Running): Promise<string> {
  const { surroundings, address } = subject;
  const admin = { PARCEL_ADMIN_URL: `http://${address}:8444`, PARCEL_ADMIN_TOKEN: ADMIN_TOKEN };
  const env = { ...surroundings.env, ...('ADMIN_TOKEN_FILE' in surroundings.env ? admin : {}) };
  let found = '';
  for (let attempt = 0; attempt < DOCTOR_ATTEMPTS; attempt += 1) {
    const doctor = enterProcess(program.pid, { ...surroundings, env }, ['parcelctl', 'doctor']);
    const { code } = await doctor.end();
    const output = outputOf(doctor);
    if (code === 0) return 'doctor finds nothing wrong';
    found = output.replace(/^(?!wrong).*\n/gm, '') || output;
  }
  throw new Error(`parcelctl doctor finds:\n      ${tail(found)}`);
}

/** Sends the signal that comes when the pause of the pod is over. */
async function end({ subject, program }: Running): Promise<string> {
  const { terminationGracePeriodSeconds = 30 } = subject.workload.pod;
  const pause = subject.container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  program.child.kill('SIGTERM');
  return endWell(program, (terminationGracePeriodSeconds - pause) * 1000);
}

/** Counts, and prints a line about each container. */
class Results {
  passed = 0;
  failed = 0;

  add(name: string, outcomes: ReadonlyArray<PromiseSettledResult<string>>): void {
    const failure = outcomes.find((each) => each.status === 'rejected');
    this[failure === undefined ? 'passed' : 'failed'] += 1;
    const details = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    console.log(failure === undefined ? `ok    ${name}: ${details.join(', ')}` : `FAIL  ${name}: ${messageOf(failure.reason)}`);
  }
}

async function runServices(subjects: readonly Subject[], meanwhile: () => Promise<void>, results: Results): Promise<void> {
  const all = subjects.map((subject): Running => ({ subject, program: enter(subject.surroundings, subject.command) }));
  try {
    const ready = await Promise.allSettled(all.map(becomeReady));
    // A doctor would report the neighbour that is missing.
    const complete = ready.every(({ status }) => status === 'fulfilled');
    const examined = await Promise.allSettled(all.map(async (each) => (complete ? examine(each) : 'not examined')));
    await meanwhile();
    const endings = await Promise.allSettled(all.map(end));
    for (const [index, { subject }] of all.entries())
      results.add(
        subject.name,
        [ready, examined, endings].map((outcomes) => outcomes[index] as PromiseSettledResult<string>),
      );
  } finally {
    for (const { program } of all) program.child.kill('SIGKILL');
  }
}

/** Each overlay, with its optional parts where it has them: all containers, and every variable. */
const started = variants.filter(({ overlay, components }) =>
  variants.every((other) => other.overlay !== overlay || other.components.length <= components.length),
);

function render(tools: KubernetesTools, variant: Variant): readonly Manifest[] {
  const file = join(root, '.cache/k8s', `${variant.name}.yaml`);
  execFileSync(tools.kustomize, ['build', sourceOf(root, variant), '--output', file], { timeout: 60_000 });
  return documentsOf(file) as Manifest[];
}

/** Settings and secrets that lead to the servers of this machine. */
function onServers(servers: Env, prefix: string) {
  const { MONGODB_URL = '', KAFKA_BROKERS = '', REDIS_URL = '', S3_ENDPOINT = '', S3_REGION = 'us-east-1' } = servers;
  const settings = {
    ...{ KAFKA_BROKERS, KAFKA_SSL: 'off', KAFKA_PREFIX: `${prefix}.`, KAFKA_REPLICATION: '1', KAFKA_MIN_IN_SYNC: '1' },
    ...{ S3_ENDPOINT, S3_REGION, S3_BUCKET: prefix, RESOURCE_PREFIX: prefix },
    // It has been made.
    MONGODB_INITIATE: '',
  };
  // Random, as the doctor wants them.
  const secrets = {
    internal: { ...secretSamples['internal'], 'internal-secret': newSecret(), 'file-secret': newSecret() },
    tracking: { ...secretSamples['tracking'], 'credentials-secret': newSecret() },
    mongodb: { url: MONGODB_URL },
    kafka: { username: '', password: '' },
    redis: { url: REDIS_URL },
    'object-store': { 'access-key': servers['S3_ACCESS_KEY'] ?? '', 'secret-key': servers['S3_SECRET_KEY'] ?? '' },
    admin: { token: ADMIN_TOKEN },
  };
  return { settings, secrets };
}

/** Removes what a run has made on the servers. */
function cleanUp(servers: Env, { RESOURCE_PREFIX, KAFKA_PREFIX }: Env): void {
  const program = fileURLToPath(new URL('../../../servers/dist/remove-installation.js', import.meta.url));
  execFileSync(process.execPath, [program], {
    env: { ...process.env, ...servers, RESOURCE_PREFIX, KAFKA_PREFIX },
    timeout: 60_000,
    stdio: 'inherit',
  });
}

async function checkOverlay(
  manifests: readonly Manifest[],
  { name }: Variant,
  { image, servers, scratch }: { image: Image; servers: Env; scratch: string },
  results: Results,
) {
  const prefix = `check-${process.pid}-${name}`;
  const workloads = workloadsOf(manifests).filter(({ kind }) => kind !== 'StatefulSet');
  // Pods have the same ports: each has an address of its own, and so has each run of this check.
  const addressOf = (index: number) => `127.${64 + ((process.pid >> 8) & 63)}.${process.pid & 255}.${index + 1}`;
  const hosts = join(scratch, 'hosts');
  const { hostname } = new URL(settingsOf(manifests)['PUBLIC_BASE_URL'] ?? 'https://localhost');
  writeFileSync(
    hosts,
    [`127.0.0.1 localhost ${hostname}`, ...workloads.map((each, index) => `${addressOf(index)} ${each.name}`), ''].join('\n'),
  );
  const { settings, secrets } = onServers(servers, prefix);
  const stage: Stage = { manifests, image, scratch: join(scratch, name), settings, secrets, hosts };
  const subjectsOf = (kind: string): Subject[] =>
    workloads.flatMap((workload, index) =>
      workload.pod.containers.flatMap((container) => {
        if (workload.kind !== kind) return [];
        if (workload.pod.initContainers) throw new Error(`${workload.name}: this check does not start init containers yet`);
        const address = addressOf(index);
        return {
          ...processOf(stage, workload, container, address),
          name: `${name}/${workload.name}/${container.name}`,
          workload,
          container,
          address,
        };
      }),
    );
  const runEach = async (kind: string) => {
    for (const subject of subjectsOf(kind)) results.add(subject.name, await Promise.allSettled([runToEnd(subject)]));
  };
  try {
    await runEach('Job');
    await runServices(subjectsOf('Deployment'), () => runEach('CronJob'), results);
  } finally {
    cleanUp(servers, settings);
  }
}

/**
 * Starts each container of each overlay as a process, with the file system, rights and environment that its pod has.
 * @returns how many did what they should
 */
export async function checkProcesses(): Promise<{ passed: number; failed: number }> {
  const results = new Results();
  const reason = await whyNot();
  if (reason !== undefined) {
    console.log(`containers of the overlays are not started: ${reason}`);
    return { passed: 0, failed: process.env.CI === 'true' ? 1 : 0 };
  }
  const tools = await ensureKubernetesTools();
  const opened = await openRealServers();
  const scratch = mkdtempSync(join(tmpdir(), 'parcelway-pods-'));
  try {
    const image = await assembleImage(root, join(scratch, 'image'));
    emptyRendered(root);
    const servers = { ...process.env, ...opened.env };
    for (const variant of started) {
      const checking = checkOverlay(render(tools, variant), variant, { image, servers, scratch }, results);
      const [outcome] = await Promise.allSettled([checking]);
      if (outcome?.status === 'rejected') results.add(variant.name, [outcome]);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    await opened.close();
  }
  return results;
}
