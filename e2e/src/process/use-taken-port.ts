import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { useOpened } from '../use-stage.ts';

/** A loopback port that another server has, for the tests of a file. */
export function useTakenPort(): { readonly port: number } {
  return useOpened(
    'port',
    async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { server, port: (server.address() as AddressInfo).port };
    },
    ({ server }) => server.close(),
  );
}
