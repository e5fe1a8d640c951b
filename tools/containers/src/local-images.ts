import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Artifact } from '@parcelway/tools-servers/artifact';
import { ensureArtifact } from '@parcelway/tools-servers/artifact';
import { kafkaServer } from '@parcelway/tools-servers/kafka';
import { mongoServer } from '@parcelway/tools-servers/mongodb';
import { digestOf } from '@parcelway/tools-servers/places';
import { portsOf } from '@parcelway/tools-servers/ports';
import { step } from '@parcelway/tools-servers/progress';
import { runCommand } from '@parcelway/tools-servers/run-command';
import { s3Server } from '@parcelway/tools-servers/s3';
import { toxiproxyServer } from '@parcelway/tools-servers/toxiproxy';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Debian's mirror may be slow, and the machine busy. */
const DEADLINE_MS = 20 * 60_000;

/** Changes with what npm installs. */
const lock = digestOf(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** Images by the variables of docker-compose.yml and the Dockerfile, for a machine that reaches no image registry. */
export const localImages = {
  NODE_IMAGE: `parcelway-local/node:${process.versions.node}`,
  BUILD_IMAGE: `parcelway-local/build:${lock}`,
  MONGO_IMAGE: 'parcelway-local/mongo',
  KAFKA_IMAGE: 'parcelway-local/kafka',
  REDIS_IMAGE: 'parcelway-local/redis',
  S3_IMAGE: 'parcelway-local/s3',
  TOXIPROXY_IMAGE: 'parcelway-local/toxiproxy',
};

/** A Debian system with some packages. */
const rootfs = (name: string, packages: readonly string[]): Artifact => ({
  name: `rootfs-bookworm-${name}`,
  make: async (folder) => {
    const system = join(folder, 'system');
    await runCommand(['debootstrap', '--variant=minbase', `--include=${packages.join(',')}`, 'bookworm', system], {
      deadlineMs: DEADLINE_MS,
    });
    for (const litter of ['var/cache/apt/archives', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale']) {
      rmSync(join(system, litter), { recursive: true, force: true });
    }
    await runCommand(['tar', '-C', system, '-cf', join(folder, 'rootfs.tar'), '.'], { deadlineMs: DEADLINE_MS });
    rmSync(system, { recursive: true });
  },
});

const plain = rootfs('plain', ['ca-certificates']);
const forServers = rootfs('servers', ['busybox', 'ca-certificates', 'libcurl4', 'openjdk-17-jre-headless', 'redis-server']);

/** Builds images on one engine. */
class ImageBuilder {
  #env;
  #cache;

  constructor(env: Readonly<Record<string, string>>, cache: string) {
    this.#env = env;
    this.#cache = cache;
  }

  docker(args: readonly string[]) {
    return runCommand(['docker', ...args], { deadlineMs: DEADLINE_MS, env: this.#env });
  }

  async has(image: string) {
    return (await this.docker(['image', 'ls', '-q', image])).trim() !== '';
  }

  /** An image out of a root file system. */
  async importSystem(image: string, artifact: Artifact) {
    if (await this.has(image)) return;
    const folder = await ensureArtifact(this.#cache, artifact);
    await step(`image ${image}`, () => this.docker(['import', join(folder, 'rootfs.tar'), image]));
  }

  /** An image of some files and a few instructions. `fill` puts the files into the folder that it is given. */
  async build(image: string, instructions: readonly string[], fill: (context: string) => Promise<void> = async () => undefined) {
    if (await this.has(image)) return;
    const context = mkdtempSync(join(tmpdir(), 'parcelway-image-'));
    try {
      await fill(context);
      writeFileSync(join(context, 'Dockerfile'), `${instructions.join('\n')}\n`);
      await step(`image ${image}`, () => this.docker(['build', '-q', '-t', image, context]));
    } finally {
      rmSync(context, { recursive: true });
    }
  }

  /** A program that `npm run servers` keeps in its cache. */
  async program(artifact: Artifact, file: string) {
    return join(await ensureArtifact(this.#cache, artifact), file);
  }
}

/** Node and npm of this machine on a bare Debian, with the user of the official image. */
async function buildNode(builder: ImageBuilder) {
  await builder.importSystem('parcelway-local/debian', plain);
  const npm = realpathSync((await runCommand(['sh', '-c', 'command -v npm'], { deadlineMs: DEADLINE_MS })).trim());
  const link =
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx';
  const instructions = [
    'FROM parcelway-local/debian',
    'COPY files /usr/local',
    `RUN ${link} && groupadd -g 1000 node && useradd -u 1000 -g node -m node`,
    'CMD ["node"]',
  ];
  await builder.build(localImages.NODE_IMAGE, instructions, async (context) => {
    mkdirSync(join(context, 'files', 'bin'), { recursive: true });
    cpSync(process.execPath, join(context, 'files', 'bin', 'node'));
    cpSync(dirname(dirname(npm)), join(context, 'files', 'lib', 'node_modules', 'npm'), { recursive: true });
  });
}

/** The same with npm's cache filled from the lock: the engine's namespace has no way to the registry. */
async function buildBuilder(builder: ImageBuilder) {
  const instructions = [
    `FROM ${localImages.NODE_IMAGE}`,
    'COPY npm-cache /npm-cache',
    'ENV npm_config_cache=/npm-cache npm_config_offline=true',
  ];
  await builder.build(localImages.BUILD_IMAGE, instructions, async (context) => {
    const copy = join(context, 'copy');
    const copyManifests = `git ls-files -z | grep -zE '(^|/)package(-lock)?\\.json$' | tar --null -cf - -T - | tar -xf - -C '${copy}'`;
    mkdirSync(copy);
    await runCommand(['sh', '-c', copyManifests], { deadlineMs: DEADLINE_MS, cwd: root });
    const install = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(context, 'npm-cache')];
    await step("npm's cache", () => runCommand(install, { deadlineMs: DEADLINE_MS, cwd: copy }));
    rmSync(copy, { recursive: true });
  });
}

async function buildServers(builder: ImageBuilder) {
  const base = 'parcelway-local/servers';
  await builder.importSystem(base, forServers);
  const from = `FROM ${base}`;
  const set = { base: 27_000, cluster: false };
  const ports = portsOf(set.base, set.cluster);
  const copyOf = (artifact: Artifact, file: string, name: string) => async (context: string) =>
    cpSync(await builder.program(artifact, file), join(context, name));

  const mongod = copyOf(mongoServer(ports.mongo[0], 1).artifact, 'mongod', 'mongod');
  await builder.build(localImages.MONGO_IMAGE, [from, 'COPY mongod /usr/local/bin/', 'RUN mkdir -p /data/db', 'CMD ["mongod"]'], mongod);
  await builder.build(localImages.REDIS_IMAGE, [from, 'CMD ["redis-server"]']);

  const versitygw = copyOf(s3Server(ports.s3, 'versitygw').artifact, 'versitygw', 'versitygw');
  const s3 = ['COPY versitygw /usr/local/bin/', 'RUN ln -s /bin/busybox /usr/local/bin/wget', 'ENTRYPOINT ["versitygw"]'];
  await builder.build(localImages.S3_IMAGE, [from, ...s3], versitygw);

  const toxiproxy = copyOf(toxiproxyServer(set).artifact, 'toxiproxy', 'toxiproxy');
  await builder.build(localImages.TOXIPROXY_IMAGE, [from, 'COPY toxiproxy /', 'ENTRYPOINT ["/toxiproxy"]'], toxiproxy);

  const kafka = [
    ...[
      'COPY kafka /opt/kafka',
      'COPY entrypoint.sh /',
      'RUN useradd -u 1000 kafka && mkdir -p /var/lib/kafka/data && chown -R kafka /var/lib/kafka',
    ],
    ...['USER kafka', 'ENTRYPOINT ["/entrypoint.sh"]'],
  ];
  await builder.build(localImages.KAFKA_IMAGE, [from, ...kafka], async (context) => {
    cpSync(await builder.program(kafkaServer(ports.kafka, 1).artifact, ''), join(context, 'kafka'), { recursive: true });
    writeFileSync(join(context, 'entrypoint.sh'), readFileSync(new URL('../kafka-entrypoint.sh', import.meta.url)));
    chmodSync(join(context, 'entrypoint.sh'), 0o755);
  });
}

/**
 * Makes every image of {@link localImages} that the engine lacks, out of Debian packages, this machine's Node, and the
 * servers of `npm run servers`.
 * @param env variables by which the docker client finds the engine
 * @param cache folder of what is fetched and built
 */
export async function buildLocalImages(env: Record<string, string>, cache: string) {
  const builder = new ImageBuilder(env, cache);
  await buildNode(builder);
  await buildBuilder(builder);
  await buildServers(builder);
}
