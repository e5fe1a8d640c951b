import { beforeAll, expect, test } from '@jest/globals';
import { useMerchant, useOpened, useStage } from '../use-stage.ts';
import type { Findings } from './fault.ts';
import { sourceFaultEnv } from './source-fault.ts';
import { sourceBehaviourFaults } from './source-faults.ts';

/* What tracking sources may do. The faults go on at the same time: most of each is waiting, until a source may be asked again. */

const WITHIN_MS = 240_000;

const stage = useStage(sourceFaultEnv);
const merchant = useMerchant(stage);
const receivers = [useOpened('receiver', () => stage.receiver()), useOpened('receiver', () => stage.receiver())] as const;
const struck = new Map<string, Promise<Findings>>();

beforeAll(async () => {
  await merchant.createEndpoint({ url: receivers[0].url });
  for (const { name, strike } of sourceBehaviourFaults) {
    const findings = strike({ platform: stage.platform, merchant, receivers });
    // Its test reads it later.
    findings.catch(() => undefined);
    struck.set(name, findings);
  }
});

test.each(sourceBehaviourFaults.map(({ name }) => name))(
  '%s',
  async (name) => {
    expect(await struck.get(name)).toMatchObject({ violations: [] });
  },
  WITHIN_MS,
);
