import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as a program under development gets it. */
export interface TakenWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A program under development that takes webhooks. */
export interface LocalProgram {
  readonly url: string;
  readonly port: number;
  readonly taken: readonly TakenWebhook[];
  stop(): Promise<void>;
}

/** Starts it. @param response how it responds; default 200. @param port default a free one */
export async function startLocalProgram(
  respond: (res: ServerResponse) => void = (res) => void res.end('ok'),
  port = 0,
): Promise<LocalProgram> {
  const taken: TakenWebhook[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    taken.push({ headers: req.headers, body: Buffer.concat(chunks).toString() });
    respond(res);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const { port: found } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${found}/hook`,
    port: found,
    taken,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
