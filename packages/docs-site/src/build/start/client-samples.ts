import { javascript, literal, python } from '../samples/literal.ts';
import type { Samples } from '../samples/samples.ts';

/** A call of a method of the clients. */
export interface ClientCall {
  /** As the client for Node names it, such as `webhookEndpoints.create`. */
  readonly method: string;
  /** Its only argument: an id, or a body. */
  readonly argument: unknown;
}

const NODE_CLIENT = `import { Parcelway } from '@parcelway/sdk';

const { PARCELWAY_API_KEY: apiKey, PARCELWAY_BASE_URL: baseUrl } = process.env;
const parcelway = new Parcelway({ apiKey, baseUrl });`;

const PYTHON_CLIENT = `import os

from parcelway import Parcelway

client = Parcelway(
    api_key=os.environ["PARCELWAY_API_KEY"],
    base_url=os.environ["PARCELWAY_BASE_URL"],
    ca_file=os.environ.get("PARCELWAY_CA_FILE"),
)`;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A call with the clients for Node and for Python, each a whole program. */
export const clientSamples = ({ method, argument }: ClientCall): Samples => ({
  node: `${NODE_CLIENT}\nconsole.log(await parcelway.${method}(${literal(argument, javascript)}));`,
  python: `${PYTHON_CLIENT}\nprint(client.${snake(method)}(${literal(argument, python)}))`,
});

/** The upload of a file with the clients for Node and for Python, each a whole program. @param name of the file in the reader's folder */
export const clientUploadSamples = (method: string, name: string): Samples => ({
  node: `import { readFile } from 'node:fs/promises';\n${NODE_CLIENT}\nconst content = await readFile('${name}');\nconsole.log(await parcelway.${method}({ name: '${name}', content }));`,
  python: `${PYTHON_CLIENT}\nprint(client.${snake(method)}("${name}"))`,
});
