import { beforeAll, expect, test } from '@jest/globals';
import { useMerchant, useOpened, useStage } from '../use-stage.ts';
import { sourceFaultEnv } from './source-fault.ts';
import { sourceKillFaults } from './source-process-faults.ts';

/* SIGKILL to the processes that ask tracking sources, one after the other. */

const WITHIN_MS = 240_000;

const stage = useStage({ ...sourceFaultEnv, WEBHOOK_RETRY_SCHEDULE: '0s,200ms,500ms,1s,1s,2s,2s,5s,5s,5s,10s,10s' });
const merchant = useMerchant(stage);
const receivers = [useOpened('receiver', () => stage.receiver()), useOpened('receiver', () => stage.receiver())] as const;

beforeAll(() => merchant.createEndpoint({ url: receivers[0].url }));

test.each(sourceKillFaults.map(({ name, strike }) => [name, strike] as const))(
  '%s',
  async (_name, strike) => {
    expect(await strike({ platform: stage.platform, merchant, receivers })).toMatchObject({ violations: [] });
  },
  WITHIN_MS,
);
