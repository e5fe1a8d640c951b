import type { Server } from './server.mjs';

/** Starts a server that does not run, and waits until it answers. Rejects with the last lines of its log. */
export declare function launch(run: string, server: Server, program: string): Promise<void>;
