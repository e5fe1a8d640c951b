import { readFileSync } from 'node:fs';

/** Version of the platform: that of the package whose `dist` this is in. */
export const version = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
