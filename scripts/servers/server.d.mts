/** A server of a set; see server.mjs for what each part means. */
export type Server = {
  readonly name: string;
  readonly artifact: { readonly name: string; readonly make: (folder: string) => Promise<void> };
  readonly ports: readonly number[];
  readonly startDeadlineMs: number;
  readonly prepare: (places: { program: string; directory: string }) => Promise<{ command: string[]; env: Record<string, string> }>;
  readonly check: () => Promise<void>;
  readonly settled?: () => Promise<void>;
};
/** What the kernel says about a process. */
export type ProcessFacts = {
  readonly pid: number;
  readonly command: string;
  readonly startTicks: string;
  readonly paused: boolean;
  readonly rssMb: number;
};
/** The running process of a server; undefined when there is none. */
export declare function processOf(run: string, server: { readonly name: string }): ProcessFacts | undefined;
/** Ends a server and waits for its end; false when it did not run. */
export declare function end(run: string, server: { readonly name: string }, signal: 'SIGTERM' | 'SIGKILL'): Promise<boolean>;
/** Holds a server as it is, or lets it go on. Rejects when it does not run. */
export declare function hold(run: string, server: { readonly name: string }, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
