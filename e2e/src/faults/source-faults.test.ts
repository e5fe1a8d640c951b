import { beforeAll, expect, test } from '@jest/globals';
import { trackedViolations } from '../ledger/check-tracked.ts';
import { Ledger } from '../ledger/ledger.ts';
import { useMerchant, useOpened, useStage } from '../use-stage.ts';
import { RETRY_SCHEDULE } from './run-faults.ts';
import { sourceKillFaults } from './source-faults.ts';
import { type SourceStage, sourceFaultEnv } from './sources.ts';

/* Kills of the process that queries tracking sources. */

const WITHIN_MS = 240_000;

const stage = useStage({ ...sourceFaultEnv, WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE });
const merchant = useMerchant(stage);
const receivers = [useOpened('receiver', () => stage.receiver()), useOpened('receiver', () => stage.receiver())] as const;
const ledger = new Ledger();

beforeAll(() => merchant.createEndpoint({ url: receivers[0].url }));

test.each(sourceKillFaults.map((fault) => [fault.name, fault] as const))(
  '%s',
  async (_name, fault) => {
    const findings = await fault.strike({ platform: stage.platform, merchant, receivers, ledger } satisfies SourceStage);
    expect(findings).toMatchObject({ violations: [] });
    expect(await trackedViolations(ledger, { merchant: merchant.client, receivers })).toEqual([]);
  },
  WITHIN_MS,
);
