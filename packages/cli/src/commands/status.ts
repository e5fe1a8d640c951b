import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { exitCodes } from '../cli-error.ts';
import type { CommandContext } from '../command-context.ts';
import { cellText, renderRecord } from '../table.ts';

function asServices(value: unknown): Data {
  return value !== null && typeof value === 'object' ? (value as Data) : {};
}

/** Adds `status`. */
export function addStatusCommand(program: Command, { act }: CommandContext): void {
  program
    .command('status')
    .description('Check whether every service is ready; exit code 1 if one is not')
    .action(
      act(async (client) => {
        const { code, message, data } = await client.ask('/admin/v1/status');
        const isReady = code === '0';
        const services = asServices(data?.['services']);
        return {
          data: data ?? { status: 'not ready' },
          text: `${isReady ? 'Ready' : `Not ready: ${cellText(message)}`}\n${renderRecord(services)}`,
          exitCode: isReady ? exitCodes.ok : exitCodes.refused,
        };
      }),
    );
}
