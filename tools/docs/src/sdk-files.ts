// The generated files of packages/sdk: what the published client knows of the API without depending on the contract.
// `npm run docs` writes them; sdk-files.test.ts fails when one is stale.
import { sdkRouteFiles } from './sdk-routes.ts';
import { sdkTypeFiles } from './sdk-types.ts';

/** Path from the root → content, for every generated file of the SDK. */
export const sdkFiles = (): ReadonlyMap<string, string> => new Map([...sdkTypeFiles(), ...sdkRouteFiles()]);
