import { afterEach, beforeEach, describe } from '@jest/globals';
import { describeEndpoints } from '../endpoints/endpoints.conformance.ts';
import { describeFeed } from '../feed/feed.conformance.ts';
import { describeStreams } from '../feed/streams.conformance.ts';
import { describeIntake } from '../intake/intake.conformance.ts';
import { describeQueue } from '../queue/queue.conformance.ts';
import { describeQueueHistories } from '../queue/queue-history.conformance.ts';
import { describeRedelivery } from '../queue/redelivery.conformance.ts';
import { describeMaintenance } from '../retention/maintenance.conformance.ts';
import { type OpenedStores, StoresUnderTest } from '../testing/stores-under-test.ts';

export function describeWebhookStores(name: string, openStores: () => Promise<OpenedStores>): void {
  describe(`webhook stores: ${name}`, () => {
    const under = new StoresUnderTest(openStores);
    beforeEach(() => under.begin());
    afterEach(() => under.end());

    describeEndpoints(under);
    describeIntake(under);
    describeQueue(under);
    describeQueueHistories(under);
    describeRedelivery(under);
    describeFeed(() => under.stores);
    describeStreams(under);
    describeMaintenance(under);
  });
}
