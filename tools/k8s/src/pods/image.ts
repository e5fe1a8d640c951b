import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { enter, localBinOf, type Mount } from './enter-root.ts';

/** The image on this machine. */
export interface Image {
  /** Folder with its files. */
  readonly root: string;
  /** Where its command runs. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly args: readonly string[];
}

type Instruction = readonly [name: string, rest: string];

/** A stage while it is made. */
interface Stage {
  readonly root: string;
  folder: string;
  readonly env: Record<string, string>;
  readonly mounts: Mount[];
  command: readonly string[];
  args: readonly string[];
}

/** Instructions of a Dockerfile, without comments. */
function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile.replace(/^\s*#.*\n/gm, '').replace(/\\\n/g, ' ');
  return [...lines.matchAll(/^([A-Z]+) +(.*)$/gm)].map(([, name = '', rest = '']) => [name, rest.trim()]);
}

/** @returns whether a .dockerignore leaves a path out: the last pattern that matches decides */
function ignores(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore.split('\n').flatMap((line) => {
    const [, not = '', pattern = ''] = /^(!?)([^#\s].*)$/.exec(line.trim()) ?? [];
    const inside = pattern
      .split('/')
      .map((part) => (part === '**' ? '(?:.*/)?' : `${part.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*')}/`));
    return pattern === '' ? [] : [{ ignored: not === '', matches: new RegExp(`^${inside.join('')}`) }];
  });
  return (path) => rules.findLast(({ matches }) => matches.test(`${path}/`))?.ignored ?? false;
}

/** A build of the image. */
interface Build {
  readonly checkout: string;
  readonly scratch: string;
  readonly stages: Map<string, Stage>;
  /** The one that instructions are about. */
  stage: Stage;
}

/** Files of the base image, as far as they are not programs. */
const BASE_FOLDERS = { tmp: 0o1777, root: 0o700, run: 0o755 };

function newStage(root: string): Stage {
  for (const [folder, mode] of Object.entries(BASE_FOLDERS)) {
    mkdirSync(join(root, folder), { recursive: true });
    chmodSync(join(root, folder), mode);
  }
  mkdirSync(localBinOf(root));
  return { root, folder: '/', env: {}, mounts: [], command: [], args: [] };
}

function copyContext(checkout: string, to: string): void {
  const isIgnored = ignores(readFileSync(join(checkout, '.dockerignore'), 'utf8'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: checkout, encoding: 'utf8' });
  for (const path of files.split('\0'))
    if (path !== '' && !isIgnored(path) && existsSync(join(checkout, path)))
      cpSync(join(checkout, path), join(to, path), { preserveTimestamps: true });
}

/** In place of an installation with the tools for building: those of the checkout, and what they have built. */
function takeTools({ checkout, stage }: Build): void {
  stage.mounts.push([join(checkout, 'node_modules'), `${stage.folder}/node_modules`, 'rw']);
  for (const parent of ['packages', 'services', 'tools'])
    for (const each of readdirSync(join(checkout, parent))) {
      const built = join(parent, each, 'dist');
      if (existsSync(join(checkout, built)))
        cpSync(join(checkout, built), join(stage.root, stage.folder, built), { recursive: true, preserveTimestamps: true });
    }
}

async function run(build: Build, command: string): Promise<void> {
  const { stage } = build;
  if (command.startsWith('npm ci') && !command.includes('--omit=dev')) {
    takeTools(build);
    return;
  }
  const npm = (setting: string) => execFileSync('npm', ['config', 'get', setting], { encoding: 'utf8' }).trim();
  const cache: Mount = [npm('cache'), '/root/.npm', 'rw'];
  const offline = { NPM_CONFIG_REGISTRY: npm('registry'), npm_config_cache: cache[1], npm_config_prefer_offline: 'true', HOME: '/root' };
  const env = { ...process.env, ...stage.env, ...offline } as Record<string, string>;
  const surroundings = { root: stage.root, readOnlyRoot: false, mounts: [cache, ...stage.mounts], folder: stage.folder, env };
  const program = enter(surroundings, ['sh', '-c', command]);
  const { code } = await program.end();
  if (code !== 0) throw new Error(`Dockerfile: RUN ${command.slice(0, 80)} … ended with ${code}\n${program.stdout}${program.stderr}`);
}

function copy({ checkout, stages, stage }: Build, rest: string): void {
  const [, from] = /^--from=(\S+) /.exec(rest) ?? [];
  const [source = '', target = ''] = rest.split(/\s+/).slice(-2);
  const to = join(stage.root, target.startsWith('/') ? target : join(stage.folder, target));
  if (from === undefined) {
    if (source !== '.') throw new Error(`Dockerfile: tools/k8s/src/pods/image.ts does not know COPY ${rest}`);
    copyContext(checkout, to);
    return;
  }
  mkdirSync(join(to, '..'), { recursive: true });
  execFileSync('cp', ['--archive', '--link', '--no-target-directory', join((stages.get(from) as Stage).root, source), to]);
}

const ignored = () => {};

/** What each instruction does. Variables of builds are for other registries; who runs a pod, and its probes, are said by the pod. */
const perform: Record<string, (build: Build, rest: string) => void | Promise<void>> = {
  FROM(build, rest) {
    build.stage = newStage(join(build.scratch, `stage-${build.stages.size}`));
    build.stages.set(rest.split(/\s+/)[2] ?? LAST, build.stage);
  },
  WORKDIR({ stage }, folder) {
    stage.folder = folder;
    mkdirSync(join(stage.root, folder), { recursive: true });
  },
  COPY: copy,
  RUN: run,
  ENV({ stage }, rest) {
    Object.assign(stage.env, Object.fromEntries(rest.split(/\s+/).map((each) => each.split('='))));
  },
  ENTRYPOINT({ stage }, rest) {
    stage.command = JSON.parse(rest) as string[];
  },
  CMD({ stage }, rest) {
    stage.args = JSON.parse(rest) as string[];
  },
  ...{ ARG: ignored, USER: ignored, EXPOSE: ignored, HEALTHCHECK: ignored },
};

/** The stage without a name. */
const LAST = '';

/**
 * Does what the Dockerfile says, in folders: no container engine is needed. The programs of the base image are those of this machine, and
 * what the checkout has installed and built already is not installed and built once more.
 * @param checkout folder of the repository, built
 * @param scratch where to put the stages; nothing is there yet
 */
export async function assembleImage(checkout: string, scratch: string): Promise<Image> {
  const build: Build = { checkout, scratch, stages: new Map(), stage: newStage(join(scratch, 'none')) };
  for (const [name, rest] of instructionsOf(readFileSync(join(checkout, 'Dockerfile'), 'utf8'))) {
    const instruction = perform[name];
    if (instruction === undefined) throw new Error(`Dockerfile: tools/k8s/src/pods/image.ts does not know ${name}`);
    await instruction(build, rest);
  }
  return build.stage;
}
