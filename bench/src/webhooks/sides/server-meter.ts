import { fileURLToPath } from 'node:url';
import { runProgram } from '../../child-server.ts';
import { CpuMeter } from './usage.ts';

const program = fileURLToPath(new URL('../../../../tools/servers/dist/main.js', import.meta.url));

interface ServerStatus {
  /** Such as `kafka-1`. */
  readonly name: string;
  readonly pid: number | null;
}

/** What a server is counted as: replicas of one kind together. */
function kindOf(name: string): string {
  return name.replace(/-\d+$/, '');
}

/** CPU time of the servers that the program of this repository has started, by kind: which of them a change makes cheaper. */
export class ServerMeter {
  readonly #meters = new Map<string, CpuMeter>();

  /**
   * @returns microseconds by kind, such as `mongo`
   * @throws Error when the program knows no servers: the environment names others
   */
  async read(): Promise<Readonly<Record<string, number>>> {
    if (process.env['PARCELWAY_SERVERS_PORT_BASE'] === undefined)
      throw new Error('What the servers use is not known here; unset MONGODB_URL to let the run start its own');
    // Its exit code says whether all of them are ready, which does not matter here.
    const { servers } = JSON.parse(await runProgram(process.execPath, [program, 'status', '--json'], [0, 3])) as {
      servers: readonly ServerStatus[];
    };
    const pids = new Map<string, number[]>();
    for (const { name, pid } of servers) if (pid !== null) pids.set(kindOf(name), [...(pids.get(kindOf(name)) ?? []), pid]);
    return Object.fromEntries([...pids].map(([kind, all]) => [kind, this.#meterOf(kind).read(all)]));
  }

  #meterOf(kind: string): CpuMeter {
    const known = this.#meters.get(kind);
    if (known) return known;
    const meter = new CpuMeter();
    this.#meters.set(kind, meter);
    return meter;
  }
}
