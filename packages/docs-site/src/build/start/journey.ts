import { routeExamples } from '@parcelway/contracts/route-examples';
import { routes } from '@parcelway/contracts/routes';
import { sampleRequest } from '../samples/sample-request.ts';
import { type Samples, samplesOf } from '../samples/samples.ts';

/** A step of the journey of a parcel, in every language. */
export interface JourneyStep {
  readonly title: string;
  /** In Markdown, of one paragraph. */
  readonly words: string;
  readonly samples: Samples;
}

/** The samples of a route. @param example name of its body; default the first one */
function samples(id: string, example?: string): Samples {
  const route = routes.find((each) => each.id === id);
  if (route === undefined) throw new Error(`The contract has no route ${id}`);
  const request = sampleRequest(route);
  return samplesOf(example === undefined ? request : { ...request, json: routeExamples[id]?.requests[example] });
}

/** From the first upload to a verified webhook, in order. @param verify code that verifies a webhook, by language */
export const journey = (verify: Samples): readonly JourneyStep[] => [
  {
    title: 'Upload a PDF',
    words: 'A label or a packing list. The response holds its `url`, which a forecast of type 2 needs. Any PDF named `label.pdf` does.',
    samples: samples('uploadPdf'),
  },
  {
    title: 'Submit a forecast',
    words: 'Announces the parcel. Sent again with the same content, the first result comes back, so a lost response does no harm.',
    samples: samples('submitForecast'),
  },
  {
    title: 'Let the warehouse weigh it',
    words: 'In the sandbox a simulation plays the warehouse. In production a warehouse reports this.',
    samples: samples('simulate', 'weighing'),
  },
  {
    title: 'Query the weighing',
    words: 'Size, weight and photos, a moment after the warehouse has reported them.',
    samples: samples('queryWeighing'),
  },
  {
    title: 'Register a webhook endpoint',
    words: 'From now on the platform notifies you by itself. The response holds the `secret` of the endpoint, this once.',
    samples: samples('createEndpoint'),
  },
  {
    title: 'Verify a webhook',
    words: 'Every webhook is signed. Trust none that these lines refuse, and respond to it with 401.',
    samples: verify,
  },
  {
    title: 'Query the tracking',
    words: 'What the carrier reports, once the parcel is dispatched. Until then the list of nodes is empty.',
    samples: samples('queryTracking'),
  },
];
