import { KafkaOutsider } from '@parcelway/harness/kafka-outsider';
import type { Stage } from '../stage.ts';
import { useOpened } from '../use-stage.ts';

/** A system of others on the topics of a stage, for the tests of a file. */
export function useOutsider(stage: Stage): KafkaOutsider {
  return useOpened(
    'outsider',
    () => KafkaOutsider.connect(stage.platform.servers),
    (outsider) => outsider.close(),
  );
}
