import { dirname } from 'node:path';
import { Program } from '@parcelway/harness/program';

/** What is mounted where: a path of the machine, or `tmpfs`, with the options of mount. */
export type Mount = readonly [source: string, target: string, options: string];

/** File system, rights and environment of a process. */
export interface Surroundings {
  /** Folder with the files of the image. */
  readonly root: string;
  readonly readOnlyRoot: boolean;
  readonly mounts: readonly Mount[];
  /** Without it: root, with all rights. */
  readonly user?: { readonly id: number; readonly group: number; readonly groups: readonly number[] };
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The base image has Node.js in a folder of its own; the machine may have it anywhere. */
const NODE = '/machine';
const PATH = `${NODE}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

/** Programs and libraries are those of the machine, not of the base image. */
const MAKE_ROOT = `
set -eu
root=$1 mode=$2
shift 2
mount --bind "$root" "$root"
for name in bin sbin lib lib64 usr etc; do
  if [ -L "/$name" ]; then ln -sfn "$(readlink "/$name")" "$root/$name"
  elif [ -d "/$name" ]; then mkdir -p "$root/$name" && mount --bind -o ro "/$name" "$root/$name"; fi
done
for name in dev proc; do mkdir -p "$root/$name" && mount --rbind "/$name" "$root/$name"; done
while [ "$1" != -- ]; do
  [ -e "$root$2" ] || mkdir -p "$root$2"
  if [ "$1" = tmpfs ]; then mount -t tmpfs -o "$3" tmpfs "$root$2"; else mount --bind -o "$3" "$1" "$root$2"; fi
  shift 3
done
shift
mount -o "remount,bind,$mode" "$root"
exec chroot "$root" "$@"
`;

/** Takes the rights away, then runs a command in its folder. */
function asUser({ user, folder }: Surroundings, command: readonly string[]): string[] {
  const drop = user && [
    ...['setpriv', `--reuid=${user.id}`, `--regid=${user.group}`, '--no-new-privs'],
    ...['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'],
    user.groups.length > 0 ? `--groups=${user.groups.join(',')}` : '--clear-groups',
  ];
  return [...(drop ?? []), 'env', `--chdir=${folder}`, ...command];
}

const start = ([program = '', ...args]: readonly string[], env: Surroundings['env']): Program =>
  Program.start(program, args, { env: { HOME: undefined, PATH, ...env } });

/** The folder /usr/local/bin of an image: what the Dockerfile adds must not go to the machine's. */
export const localBinOf = (root: string): string => `${root}.local-bin`;

/** Starts a command in surroundings of its own. The process that it returns is the command's. */
export function enter(surroundings: Surroundings, command: readonly string[]): Program {
  const { root, readOnlyRoot, mounts, env } = surroundings;
  const own: Mount = [localBinOf(root), '/usr/local/bin', readOnlyRoot ? 'ro' : 'rw'];
  const node: Mount = [dirname(dirname(process.execPath)), NODE, 'ro'];
  const arguments_ = [root, readOnlyRoot ? 'ro' : 'rw', ...[own, node, ...mounts].flat(), '--', ...asUser(surroundings, command)];
  return start(['unshare', '--mount', 'sh', '-c', MAKE_ROOT, 'sh', ...arguments_], env);
}

/** Starts a command in the file system of a running process, as `kubectl exec` does. */
export function enterProcess(pid: number, surroundings: Surroundings, command: readonly string[]): Program {
  const into = ['nsenter', `--target=${pid}`, '--mount', '--root'];
  return start([...into, ...asUser(surroundings, command)], surroundings.env);
}

/** @returns why this machine cannot start processes like that; undefined when it can */
export async function whyNot(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'it needs root, which mounts file systems and takes rights away';
  const trial = start(['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt && setpriv --version && nsenter --version'], {});
  const { code } = await trial.end().catch(() => ({ code: null }));
  return code === 0 ? undefined : `it needs unshare, mount, setpriv and nsenter, and the right to mount: ${trial.stderr.trim()}`;
}
