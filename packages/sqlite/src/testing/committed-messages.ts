import type { SqliteDatabase } from '../database.ts';
import type { LoggedMessage, MessageLog } from '../message-log.ts';

/** Stands in for the log of embedded mode: keeps the messages of committed transactions in memory. */
export class CommittedMessages implements MessageLog {
  readonly #db: SqliteDatabase;
  #messages: (LoggedMessage & { readonly id: string })[] = [];
  #last = 0;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  append(message: LoggedMessage): void {
    this.#last += 1;
    const id = String(this.#last);
    this.#db.afterCommit(() => void this.#messages.push({ ...message, id }));
  }

  /** The oldest messages that were not removed. */
  async lease(limit: number) {
    return this.#messages.slice(0, limit);
  }

  /** Forgets messages. */
  async remove(ids: readonly string[]): Promise<void> {
    this.#messages = this.#messages.filter(({ id }) => !ids.includes(id));
  }

  /** How many messages wait; their age is not known. */
  async depth() {
    return { count: this.#messages.length, oldestAt: null };
  }
}
