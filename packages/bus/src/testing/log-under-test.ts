import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import type { BusDriver, ConsumeOptions, DriverConsumer, LogRecord } from '../driver.ts';

/** A log for one test, over which drivers are opened one after the other. */
export interface BusDriverHarness {
  /** Opens a driver over the log, with what an earlier one left. */
  open(): Promise<BusDriver>;
  /** Makes topics where the log does not do so by itself. */
  prepare?(topics: readonly string[]): Promise<void>;
  /** Removes the log. */
  destroy(): Promise<void>;
}

/** How patient a suite is. */
export interface ConformanceOptions {
  /** Milliseconds in which something expected must have happened; default 5000. */
  readonly deadlineMs?: number;
}

/** The value of a record as text. */
export const textOf = (record: LogRecord): string => Buffer.from(record.value ?? []).toString('utf8');

/** The log of the running test, with an open driver and an empty topic. */
export class LogUnderTest {
  harness!: BusDriverHarness;
  driver!: BusDriver;
  topic!: string;
  readonly #deadlineMs: number;

  private constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /** Sets one up for every test of the suite in which it is called. */
  static forEachTest(start: () => Promise<BusDriverHarness>, { deadlineMs = 5000 }: ConformanceOptions): LogUnderTest {
    const log = new LogUnderTest(deadlineMs);
    beforeEach(async () => {
      log.harness = await start();
      log.driver = await log.harness.open();
      log.topic = await log.newTopic();
    });
    afterEach(async () => {
      await log.driver.close();
      await log.harness.destroy();
    });
    return log;
  }

  async newTopic(): Promise<string> {
    const created = `test.${randomBytes(6).toString('hex')}.v1`;
    await this.harness.prepare?.([created]);
    return created;
  }

  /** Waits until a condition holds. */
  async reached(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    await until(condition, { what, within: this.#deadlineMs });
  }

  /** Consumes everything into an array. */
  async collect(group: string, topics: readonly string[] = [this.topic]): Promise<{ readonly seen: LogRecord[] }> {
    const seen: LogRecord[] = [];
    await this.consume((records) => void seen.push(...records), { group, topics });
    return { seen };
  }

  /** Consumes the topic as group `g`, unless `given` says otherwise, and finishes every record. */
  consume(handle: (records: readonly LogRecord[]) => unknown, given: Partial<ConsumeOptions> = {}): Promise<DriverConsumer> {
    return this.driver.consume({
      ...{ group: 'g', topics: [this.topic], ...given },
      handle: async (records) => {
        await handle(records);
        return { done: records.length, pauseMs: 0 };
      },
    });
  }

  publish(values: readonly string[], key = 'k'): Promise<void> {
    return this.driver.publish(values.map((value) => ({ topic: this.topic, key, value })));
  }

  async reopen(): Promise<void> {
    await this.driver.close();
    this.driver = await this.harness.open();
  }
}
