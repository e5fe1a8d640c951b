import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '@parcelway/kernel/free-port';
import { lastLines } from '@parcelway/tools-servers/run-command';
import { waitUntil } from '@parcelway/tools-servers/wait-until';

const START_DEADLINE_MS = 120_000;
const HOST = '127.0.0.1';

/** A Kubernetes API server with its controllers, and nodes whose containers KWOK only says to run. */
export interface Cluster {
  /** For commands that use kubectl: `PATH` and `KUBECONFIG`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends every process of the cluster. */
  readonly stop: () => Promise<void>;
}

/** Three nodes in three zones: what is spread over them shows. */
const nodes = [1, 2, 3].map((number) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: `worker-${number}`,
    labels: { 'kubernetes.io/hostname': `worker-${number}`, 'topology.kubernetes.io/zone': `zone-${number}`, 'kubernetes.io/os': 'linux' },
  },
  status: { allocatable: { cpu: '16', memory: '64Gi', pods: '200', 'ephemeral-storage': '100Gi' } },
}));

/** What a cluster gives to claims of backups. */
const volumes = [1, 2].map((number) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `volume-${number}` },
  spec: { capacity: { storage: '100Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/nowhere' } },
}));

/** The log of every container, so that `kubectl logs` has something to read. */
const logsOf = (file: string) =>
  JSON.stringify({
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'ClusterLogs',
    metadata: { name: 'all' },
    spec: { logs: [{ logsFile: file }] },
  });

const kubeconfig = (port: number, token: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'check', cluster: { server: `https://${HOST}:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'check', user: { token } }],
    contexts: [{ name: 'check', context: { cluster: 'check', user: 'check' } }],
    'current-context': 'check',
  });

/** Processes of a cluster: their logs are in its folder. */
function processesIn(folder: string, env: Readonly<Record<string, string | undefined>>) {
  const children: ChildProcess[] = [];
  // An interrupted check leaves no process behind.
  process.once('exit', () => children.forEach((child) => void child.kill('SIGKILL')));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return {
    /** @returns an error when the process has ended, with the end of its log */
    start: (name: string, args: readonly string[]) => {
      const file = join(folder, `${name}.log`);
      const log = openSync(file, 'w');
      const child = spawn(name, args, { cwd: folder, env, stdio: ['ignore', log, log] });
      closeSync(log);
      child.once('error', (error) => appendFileSync(file, String(error)));
      children.push(child);
      return () =>
        child.exitCode === null && child.signalCode === null
          ? undefined
          : new Error(`${name} ended:\n${lastLines(readFileSync(file, 'utf8').slice(-8000))}`);
    },
    /** Ends all, the last one first, so that none asks a server that is gone. */
    stop: async () => {
      for (const child of children.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}

/**
 * Starts a cluster on loopback and waits for its nodes.
 * @param programs folders of its programs
 * @param folder for its data and logs
 * @throws Error with the end of the log of what did not start
 */
export async function startCluster(programs: readonly string[], folder: string): Promise<Cluster> {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const [store, peer, api, kubelet] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const token = randomUUID();
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signing = file('accounts.key', privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  const verifying = file('accounts.pub', publicKey.export({ type: 'spki', format: 'pem' }) as string);
  const config = file('kubeconfig', kubeconfig(api, token));
  const env = { ...process.env, PATH: [...programs, process.env.PATH].join(delimiter), KUBECONFIG: config, HOME: folder };
  const kubectl = (...args: string[]) => void execFileSync('kubectl', args, { env, stdio: 'pipe', timeout: 30_000 });
  const { start, stop } = processesIn(folder, env);
  const [client, others] = [`http://${HOST}:${store}`, `http://${HOST}:${peer}`];
  const certificate = join(folder, 'certificates', 'apiserver');
  try {
    start('etcd', [
      ...[`--data-dir=${join(folder, 'etcd')}`, '--unsafe-no-fsync', `--listen-client-urls=${client}`, `--advertise-client-urls=${client}`],
      ...[`--listen-peer-urls=${others}`, `--initial-advertise-peer-urls=${others}`, `--initial-cluster=default=${others}`],
    ]);
    const ended = start('kube-apiserver', [
      ...[`--etcd-servers=${client}`, `--bind-address=${HOST}`, `--secure-port=${api}`, `--cert-dir=${join(folder, 'certificates')}`],
      ...[`--token-auth-file=${file('tokens.csv', `${token},check,check,system:masters\n`)}`, '--authorization-mode=RBAC'],
      ...['--service-account-issuer=https://check.invalid', `--service-account-key-file=${verifying}`],
      ...[`--service-account-signing-key-file=${signing}`, '--service-cluster-ip-range=10.96.0.0/16'],
    ]);
    await waitUntil(() => kubectl('get', '--raw', '/readyz'), { deadlineMs: START_DEADLINE_MS, stop: ended });
    const access = [`--kubeconfig=${config}`, '--leader-elect=false', '--secure-port=0'];
    start('kube-controller-manager', [
      ...access,
      ...[`--service-account-private-key-file=${signing}`, '--horizontal-pod-autoscaler-sync-period=1s'],
      // On a busy machine heartbeats are late; pods of a node that was taken for dead would not become ready again.
      '--node-monitor-grace-period=1h',
    ]);
    start('kube-scheduler', access);
    const kwokEnded = start('kwok', [
      ...[`--kubeconfig=${config}`, '--manage-all-nodes=true', `--server-address=${HOST}:${kubelet}`],
      ...[`--node-ip=${HOST}`, `--node-port=${kubelet}`],
      ...[`--tls-cert-file=${certificate}.crt`, `--tls-private-key-file=${certificate}.key`],
      `--config=${file('kwok.yaml', logsOf(file('container.log', '2026-01-01T00:00:00Z stdout F This container does not run.\n')))}`,
    ]);
    kubectl('apply', '--filename', file('nodes.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...nodes, ...volumes] })));
    const ready = () => kubectl('wait', 'node', '--all', '--for=condition=Ready', '--timeout=10s');
    await waitUntil(ready, { deadlineMs: START_DEADLINE_MS, stop: kwokEnded });
  } catch (error) {
    await stop();
    throw error;
  }
  return { env, stop };
}
