import { PlatformProcess } from '@parcelway/harness/platform-process';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { type DemoOptions, readDemoOptions, usage } from './demo-options.ts';
import { demoSources } from './demo-sources.ts';
import { playJourney } from './journey.ts';
import { Narrator } from './narrator.ts';
import { simulatedCarrier } from './simulated-carrier.ts';
import { connectDemoSource, sourceCarrier } from './source-carrier.ts';

/* Plays one parcel's whole way against a platform that it starts itself, on data that it throws away afterwards. */

/** A wrong argument, as shells have it. */
const USAGE_ERROR = 2;

function options(): DemoOptions | undefined {
  try {
    return readDemoOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nnpm run demo -- --help shows what there is.\n`);
    return undefined;
  }
}

async function startSource(name: string, narrator: Narrator): Promise<{ server: SourceServer } & ReturnType<typeof connectDemoSource>> {
  const source = demoSources.get(name);
  const start = sourceServers[name];
  if (source === undefined || start === undefined) throw new Error(`The tracking source ${name} has no server`);
  const server = await start();
  narrator.say(`A server that speaks the wire format of ${source.title} listens at ${server.baseUrl}.`);
  return { server, ...connectDemoSource(source, server) };
}

/** @returns true when every step went well */
async function play(name: string | undefined, narrator: Narrator): Promise<boolean> {
  const source = name === undefined ? undefined : await startSource(name, narrator);
  narrator.say('Starting a platform of its own (embedded, temporary data) …');
  // On loopback alone: nobody else on the network has anything to do with it.
  const platform = PlatformProcess.prepare({ env: { HOST: '127.0.0.1', ...source?.env } });
  let good = false;
  try {
    await platform.start();
    narrator.say(`It listens at ${platform.quickstart.base_url}.`);
    await playJourney(platform, narrator, source === undefined ? simulatedCarrier : sourceCarrier(source.connected, platform.client(null)));
    const exitCode = await platform.stop();
    if (exitCode !== 0) throw new Error(`The platform ended with ${exitCode} on SIGTERM`);
    good = true;
  } catch (error) {
    narrator.say(`\nThe journey ended early: ${error instanceof Error ? error.message : String(error)}`);
    narrator.say(platform.log);
  } finally {
    await platform.dispose();
    await source?.server.close();
  }
  return narrator.summary() && good;
}

const asked = options();
if (asked === undefined) {
  process.exitCode = USAGE_ERROR;
} else if (asked.isHelp) {
  process.stdout.write(usage());
} else {
  process.exitCode = (await play(asked.source, new Narrator((text) => process.stdout.write(text)))) ? 0 : 1;
}
