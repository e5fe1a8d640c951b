const services = ['gateway', 'forecast', 'file', 'warehouse-intake', 'tracking', 'webhook'];
const commands = ['distributed', 'migrate', 'parcelctl', 'secrets', 'setup'];

/** Name of a program in `dist` → its source. Code that starts a thread finds the program of the thread beside it, in the bundle as in the sources. */
export const programs: Readonly<Record<string, string>> = {
  'all-in-one': 'services/all-in-one/src/main.ts',
  ...Object.fromEntries(services.map((name) => [name, `services/${name}/src/main.ts`])),
  ...Object.fromEntries(commands.map((name) => [name, `services/all-in-one/src/${name}-main.ts`])),
  healthcheck: 'services/all-in-one/src/healthcheck.ts',
  'document-worker': 'services/file/src/documents/adapters/document-worker.ts',
  'spreadsheet-worker': 'services/forecast/src/imports/adapters/reading/spreadsheet-worker.ts',
};
