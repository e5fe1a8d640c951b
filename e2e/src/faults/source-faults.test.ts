import { beforeAll, describe, expect, test } from '@jest/globals';
import { trackedViolations } from '../ledger/check-tracked.ts';
import { Ledger } from '../ledger/ledger.ts';
import { useMerchant, useOpened, useStage } from '../use-stage.ts';
import type { Findings } from './fault.ts';
import { RETRY_SCHEDULE } from './run-faults.ts';
import { sourceKillFaults, sourceOutageFaults } from './source-faults.ts';
import { type SourceFault, type SourceStage, sourceFaultEnv } from './sources.ts';

/* Faults of tracking sources, and kills of the process that queries them. Most of the time is waiting, so outages run in parallel. */

const WITHIN_MS = 240_000;

const stage = useStage({ ...sourceFaultEnv, WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE });
const merchant = useMerchant(stage);
const receivers = [useOpened('receiver', () => stage.receiver()), useOpened('receiver', () => stage.receiver())] as const;
const ledger = new Ledger();

const strike = (fault: SourceFault): Promise<Findings> =>
  fault.strike({ platform: stage.platform, merchant, receivers, ledger } satisfies SourceStage);
const expectDelivered = async (): Promise<void> =>
  expect(await trackedViolations(ledger, { merchant: merchant.client, receivers })).toEqual([]);

beforeAll(() => merchant.createEndpoint({ url: receivers[0].url }));

describe('outages', () => {
  const struck = new Map<string, Promise<Findings>>();
  beforeAll(() => {
    for (const fault of sourceOutageFaults) {
      const findings = strike(fault);
      // Its test reads it later.
      findings.catch(() => undefined);
      struck.set(fault.name, findings);
    }
  });

  test.each(sourceOutageFaults.map(({ name }) => name))(
    '%s',
    async (name) => {
      expect(await struck.get(name)).toMatchObject({ violations: [] });
    },
    WITHIN_MS,
  );

  test('leave every parcel delivered, once', expectDelivered);
});

test.each(sourceKillFaults.map((fault) => [fault.name, fault] as const))(
  '%s',
  async (_name, fault) => {
    expect(await strike(fault)).toMatchObject({ violations: [] });
    await expectDelivered();
  },
  WITHIN_MS,
);
