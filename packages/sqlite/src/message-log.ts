/** A message that is written together with the state that it is about. */
export interface LoggedMessage {
  readonly topic: string;
  /** Messages of one topic and key stay in the order of their writes. */
  readonly key: string;
  readonly value: string;
}

/** The log of embedded mode, as stores write to it. It lies in the same file. */
export interface MessageLog {
  /** Adds a message. Only inside a transaction of the file: message and state change commit together or not at all. */
  append(message: LoggedMessage): void;
}
