import { beforeAll, expect, test } from '@jest/globals';
import { sourceFaultEnv } from '../faults/source-fault.ts';
import { sourceReplicaFault } from '../faults/source-replica-fault.ts';
import { useMerchant, useOpened, useStage } from '../use-stage.ts';

/* Two processes of tracking and the limits of the sources that both ask. */

const stage = useStage({ ...sourceFaultEnv, REPLICAS: '2' });
const merchant = useMerchant(stage);
const receivers = [useOpened('receiver', () => stage.receiver()), useOpened('receiver', () => stage.receiver())] as const;

beforeAll(() => merchant.createEndpoint({ url: receivers[0].url }));

test(sourceReplicaFault.name, async () => {
  expect(stage.platform.services().filter(({ name }) => name.startsWith('tracking-'))).toHaveLength(2);
  expect(await sourceReplicaFault.strike({ platform: stage.platform, merchant, receivers })).toMatchObject({ violations: [] });
}, 240_000);
