import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The directory of another version, built.
 * @param own directory of the version that replaces it
 * @param option name of what names the directory, for the error
 * @throws Error that says how to make it one, or that it is the same version
 */
export function builtVersion(directory: string, own: string, option = '--from'): string {
  const root = resolve(directory);
  if (!existsSync(join(root, 'services', 'all-in-one', 'dist', 'migrate-main.js')))
    throw new Error(`${option} names no built checkout: run \`npm ci && npm run build\` in ${root}`);
  // However it is named: a version that replaces itself proves nothing.
  if (realpathSync(root) === realpathSync(own))
    throw new Error(`${option} names this version itself, ${root}: check another version out elsewhere`);
  return root;
}
