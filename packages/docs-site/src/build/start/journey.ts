import { exampleParcel } from '@parcelway/contracts/example-parcel';
import { routeExamples } from '@parcelway/contracts/examples';
import { routeOf } from '@parcelway/contracts/routes';
import { javascript, literal, python } from '../samples/literals.ts';
import { bodyExample, pathExample, sampleRequest } from '../samples/sample-request.ts';
import { type Samples, samplesOf } from '../samples/samples.ts';

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

export const clientSamples = ({ method, argument }: ClientCall): Samples => ({
  node: `${NODE_CLIENT}\nconsole.log(await parcelway.${method}(${literal(argument, javascript)}));`,
  python: `${PYTHON_CLIENT}\nprint(client.${snake(method)}(${literal(argument, python)}))`,
});

/** The upload of a file with the clients for Node and for Python, each a whole program. @param name of the file in the reader's folder */
export const clientUploadSamples = (method: string, name: string): Samples => ({
  node: `import { readFile } from 'node:fs/promises';\n${NODE_CLIENT}\nconst content = await readFile('${name}');\nconsole.log(await parcelway.${method}({ name: '${name}', content }));`,
  python: `${PYTHON_CLIENT}\nprint(client.${snake(method)}("${name}"))`,
});

/** A page that continues a step: its title, and its path at the gateway. */
export type FurtherPage = readonly [title: string, path: string];

export interface JourneyStep {
  readonly title: string;
  readonly words: string;
  readonly samples: Samples;
  /** What a reader sees then: words in Markdown, and what is printed. */
  readonly outcome?: { readonly words: string; readonly output: string };
  readonly further?: readonly FurtherPage[];
}

/** Code of the journey that no route of the contract describes, by language. */
export interface JourneyCode {
  readonly verify: Samples;
  readonly receive: Samples;
}

const { poNumber } = exampleParcel;

/** @param options.example name of the body; default the first one @param options.argument argument of the method; default the body */
function samples(id: string, method: string, { argument, example }: { argument?: string; example?: string } = {}): Samples {
  const route = routeOf(id);
  const json = example === undefined ? bodyExample(route) : routeExamples[id]?.requests[example];
  return { ...samplesOf({ ...sampleRequest(route), json }, true), ...clientSamples({ method, argument: argument ?? json }) };
}

/** The samples that upload a PDF. @param name of the file in the reader's folder */
const uploadSamples = (name: string): Samples => ({
  ...samplesOf({ ...sampleRequest(routeOf('uploadPdf')), upload: { name, type: 'application/pdf' } }, true),
  ...clientUploadSamples('files.uploadPdf', name),
});

export const journey = ({ verify, receive }: JourneyCode): readonly JourneyStep[] => [
  {
    title: 'Receive webhooks on your machine',
    words:
      'A program that asks the sandbox for its webhooks needs no public address and no port. Leave it running, and take another terminal, with the same variables, for the next steps. The samples for curl and Java have the webhooks forwarded to a port by `parcelctl`, a command of the checkout.',
    samples: receive,
    further: [
      ['Listening without a public address', 'docs/guides/webhooks/listening-without-a-public-address'],
      ['Developing on your own machine', 'docs/guides/webhooks/developing-on-your-own-machine'],
      ['The client for Python', 'docs/guides/python'],
      ['The clients for Node and Python', 'docs/guides/sdk'],
    ],
  },
  {
    title: 'Upload the label',
    words:
      'The warehouse prints this label and puts it on the parcel. Save any PDF as `label.pdf` in the folder of your terminal. The response holds its `url`.',
    samples: uploadSamples('label.pdf'),
  },
  {
    title: 'Upload the packing list',
    words: 'The list of contents goes with the parcel. Save any PDF as `packing-list.pdf`. The response holds its `url`.',
    samples: uploadSamples('packing-list.pdf'),
  },
  {
    title: 'Submit a forecast',
    words:
      'Announces a parcel for direct mail, of type 2. Put the two URLs of your responses in as `shipping_label` and `shipping_note`. Repeating the request returns the first result, so you can retry after a lost response. The response warns of the due date, which is past. A second parcel needs another `po_number` and another `tracking_number`.',
    samples: samples('submitForecast', 'forecasts.submit', { example: 'directMail' }),
  },
  {
    title: 'Let the warehouse weigh it',
    words: 'In the sandbox a simulation plays the warehouse. In production a warehouse reports this.',
    samples: samples('simulate', 'sandbox.simulate', { example: 'weighing' }),
    outcome: {
      words:
        'In the first terminal you should see your first verified webhook. The receiver for curl prints `signature good` and the body.',
      output: `VERIFIED parcel.weighed ${poNumber}`,
    },
  },
  {
    title: 'Query the weighing',
    words: 'Size, weight and photos, a moment after the warehouse has reported them.',
    samples: samples('queryWeighing', 'forecasts.weighing', { argument: poNumber }),
  },
  {
    title: 'Let the warehouse dispatch it',
    words: 'The simulated warehouse hands the parcel to a carrier. The status of the forecast becomes `SHIPPED`.',
    samples: samples('simulate', 'sandbox.simulate', { example: 'dispatch' }),
  },
  {
    title: 'Let the carrier report',
    words: 'The simulated carrier adds a tracking node.',
    samples: samples('simulate', 'sandbox.simulate', { example: 'trackingNode' }),
    outcome: {
      words: 'In the first terminal you should see the webhook of the new node.',
      output: `VERIFIED tracking.changed ${poNumber}`,
    },
  },
  {
    title: 'Query the tracking',
    words: 'Lists the tracking nodes, the newest first.',
    further: [['Sandbox and simulations', 'docs/guides/merchants/sandbox-and-simulations']],
    samples: samples('queryTracking', 'forecasts.tracking', { argument: poNumber }),
  },
  {
    title: 'Register a webhook endpoint',
    words:
      'For a program with a public address: put it in as `url`, and the platform sends webhooks there. The response holds `endpoint_id`, and this once the `secret` of the endpoint.',
    samples: samples('createEndpoint', 'webhookEndpoints.create'),
    further: [['Registering an endpoint', 'docs/guides/webhooks/registering-an-endpoint']],
  },
  {
    title: 'Verify a webhook',
    words: 'Every webhook is signed. Trust none that these lines refuse, and respond to it with 401.',
    samples: verify,
    further: [['Verifying a signature', 'docs/guides/webhooks/verifying-a-signature']],
  },
  {
    title: 'Delete the endpoint',
    words:
      'If nothing receives at the address, delete the endpoint, with the `endpoint_id` of your response. A tenant has at most 10 endpoints; the list of endpoints shows their ids.',
    further: [['Webhook endpoints', 'docs/api/webhook-endpoints']],
    samples: samples('deleteEndpoint', 'webhookEndpoints.delete', { argument: pathExample(routeOf('deleteEndpoint'), 'endpoint_id') }),
  },
];
