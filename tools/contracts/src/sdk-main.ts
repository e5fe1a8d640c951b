// Writes packages/sdk/src/generated: what the published client knows of the API without depending on the contract. Each build runs it before it compiles the client.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sdkRoutes } from './sdk-routes.ts';
import { sdkTypes } from './sdk-types.ts';

const folder = new URL('../../../packages/sdk/src/generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries({ 'types.ts': sdkTypes(), 'routes.ts': sdkRoutes() })) {
  const file = new URL(name, folder);
  // The compiler looks at the time of a file first.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
