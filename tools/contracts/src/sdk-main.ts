// Writes packages/sdk/src/generated, so that the published SDK needs no contracts package. Each build runs it before it compiles the SDK.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sdkResourcesText } from './sdk-resources.ts';
import { sdkRoutes } from './sdk-routes.ts';
import { sdkTypes } from './sdk-types.ts';

const folder = new URL('../../../packages/sdk/src/generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries({ 'types.ts': sdkTypes(), 'routes.ts': sdkRoutes(), 'resources.ts': sdkResourcesText() })) {
  const file = new URL(name, folder);
  // An unchanged file keeps its time, so that the compiler skips it.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
