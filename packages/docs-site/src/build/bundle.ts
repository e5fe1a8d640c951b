import { fileURLToPath } from 'node:url';

/** The script of the site in one file, and the licences of what is in it. */
export interface Bundle {
  readonly script: string;
  readonly licences: string;
}

/** Bundles the script of the site. @throws Error when something in it cannot be resolved */
export async function bundleScript(): Promise<Bundle> {
  const { build } = await import('vite');
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const output = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      license: { fileName: 'licenses.md' },
      lib: { entry: `${root}src/page/main.ts`, formats: ['es'], fileName: 'site' },
      minify: true,
    },
  });
  const [first] = [output].flat();
  if (first === undefined || !('output' in first)) throw new Error('Vite has built nothing');
  const script = first.output.find((file) => file.type === 'chunk');
  const licences = first.output.find((file) => file.type === 'asset' && file.fileName === 'licenses.md');
  if (script?.type !== 'chunk') throw new Error('Vite has built no script');
  return { script: script.code, licences: licences?.type === 'asset' ? String(licences.source) : '' };
}
