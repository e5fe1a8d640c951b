import { beforeAll, expect, test } from '@jest/globals';
import { trackedViolations } from '../ledger/check-tracked.ts';
import { Ledger } from '../ledger/ledger.ts';
import { useMerchant, useOpened, useStage } from '../use-stage.ts';
import { RETRY_SCHEDULE } from './run-faults.ts';
import { killedBetweenPolls, sourceFaultEnv } from './source-faults.ts';

const stage = useStage({ ...sourceFaultEnv, WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE });
const merchant = useMerchant(stage);
const receivers = [useOpened('receiver', () => stage.receiver()), useOpened('receiver', () => stage.receiver())] as const;
const ledger = new Ledger();

beforeAll(() => merchant.createEndpoint({ url: receivers[0].url }));

test('polls of tracking sources continue after kills; nothing is lost, nothing published twice', async () => {
  expect(await killedBetweenPolls({ platform: stage.platform, merchant, receivers, ledger })).toMatchObject({ violations: [] });
  expect(await trackedViolations(ledger, { merchant: merchant.client, receivers })).toEqual([]);
}, 240_000);
