import { join } from 'node:path';

/** What a step may take where nothing has been downloaded yet, on a busy machine. */
const STEP_DEADLINE_MS = 10 * 60_000;

/** Pinned: a newer generator writes another client. */
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

const MAVEN = ['mvn', '--batch-mode', '--quiet', '--no-transfer-progress'];

const QUIET = ['install', '--quiet', '--disable-pip-version-check'];

/** A command in the folder `package`. */
const inPackage = (command: string) => ['sh', '-c', `cd package && ${command}`];

/** A client of the API: what generates it from `openapi.json` in its folder, what checks its types, and what runs the program that uses it. */
export interface Client {
  readonly name: string;
  /** Below tools/testing/clients; copied to where it is built. */
  readonly folder: string;
  /** Path from the root of a package to try instead of what a generator makes; copied into the folder `package`. */
  readonly source?: string;
  /** Commands that succeed where the toolchain is there. */
  readonly needs: readonly (readonly string[])[];
  /** What to install otherwise. */
  readonly install: string;
  /** True when CI may lack the toolchain, too. */
  readonly isOptional?: boolean;
  readonly steps: readonly (readonly string[])[];
  readonly run: readonly string[];
  /** Further variables of every step. */
  readonly env: (work: string) => Readonly<Record<string, string>>;
}

/** The clients that are generated and tried, in the languages that merchants use. */
export const clients: readonly Client[] = [
  {
    name: 'Java, openapi-generator (native)',
    folder: 'java',
    needs: [
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
    install: 'a JDK 17 or newer and Maven 3.8 or newer',
    steps: [[...MAVEN, 'compile']],
    run: [...MAVEN, 'exec:java'],
    env: () => ({}),
  },
  {
    name: 'Go, oapi-codegen',
    folder: 'go',
    needs: [['go', 'version']],
    install: 'Go 1.24 or newer',
    steps: [
      ['go', 'run', OAPI_CODEGEN, '-config', 'oapi-codegen.yaml', '-o', 'parcelway/client.go', 'openapi.json'],
      ['go', 'vet', './...'],
      ['go', 'build', '-o', 'submit', '.'],
    ],
    run: ['./submit'],
    env: () => ({}),
  },
  {
    name: 'Python, openapi-python-client',
    folder: 'python',
    needs: [['python3', '-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)']],
    install: 'Python 3.11 or newer with venv',
    steps: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', 'requirements.txt'],
      [
        ...['venv/bin/openapi-python-client', 'generate', '--path', 'openapi.json', '--meta', 'none'],
        ...['--output-path', 'parcelway_client', '--overwrite'],
      ],
      ['venv/bin/mypy', 'submit_forecast.py'],
    ],
    run: ['venv/bin/python', 'submit_forecast.py'],
    // It formats what it writes with the ruff beside it.
    env: (work) => ({ PATH: `${join(work, 'venv', 'bin')}:${process.env.PATH ?? ''}` }),
  },
  {
    name: 'Python, the package parcelway',
    folder: 'python-package',
    source: 'clients/python',
    needs: [['python3', '-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)']],
    install: 'Python 3.11 or newer with venv',
    steps: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', ...QUIET, '--requirement', 'package/requirements-dev.txt', './package'],
      inPackage('../venv/bin/ruff check --no-cache .'),
      inPackage('../venv/bin/ruff format --no-cache --check .'),
      inPackage('../venv/bin/mypy'),
      inPackage('../venv/bin/pytest -q'),
      // What is published: both are built in a folder of their own from the registry alone, and the wheel from the source distribution.
      inPackage('../venv/bin/python -m build --outdir ../dist'),
      ['sh', '-c', 'venv/bin/twine check --strict dist/*'],
      ['sh', '-c', 'rm -rf fresh && python3 -m venv fresh'],
      ['sh', '-c', `fresh/bin/pip ${QUIET.join(' ')} dist/*.whl`],
      // The wheel has its types with it.
      ['venv/bin/mypy', '--strict', '--python-executable', 'fresh/bin/python', 'journey.py'],
    ],
    run: ['fresh/bin/python', 'journey.py'],
    env: () => ({ PYTHONDONTWRITEBYTECODE: '1' }),
  },
  {
    name: 'PHP, openapi-generator (Guzzle)',
    folder: 'php',
    needs: [
      ['php', '-r', 'require "GuzzleHttp/autoload.php"; exit(extension_loaded("curl") && extension_loaded("mbstring") ? 0 : 1);'],
      ['mvn', '--version'],
    ],
    install: 'PHP 8.1 or newer with Guzzle 7 and Maven 3.8 or newer (on Debian: php-cli php-curl php-mbstring php-guzzlehttp-guzzle maven)',
    isOptional: true,
    steps: [
      [...MAVEN, 'generate-sources'],
      // Compiles every class without running it.
      ['sh', '-c', 'find generated/lib -name "*.php" -print0 | xargs -0 -n 1 php -l >/dev/null'],
    ],
    run: ['php', 'submit-forecast.php'],
    env: () => ({}),
  },
  {
    name: 'TypeScript, openapi-typescript and openapi-fetch',
    folder: 'typescript',
    needs: [['npm', '--version']],
    install: 'npm',
    steps: [
      ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'],
      ['node_modules/.bin/openapi-typescript', 'openapi.json', '--output', 'generated/parcelway.d.ts'],
      ['node_modules/.bin/tsc'],
    ],
    run: ['node', 'built/submit-forecast.js'],
    env: () => ({}),
  },
];

/** Limits for a step of a client. */
export const limitsOf = (client: Client, cwd: string, env = {}) => ({
  cwd,
  deadlineMs: STEP_DEADLINE_MS,
  env: { ...client.env(cwd), ...env },
});
