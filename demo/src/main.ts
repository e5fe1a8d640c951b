import { PlatformProcess } from '@parcelway/harness/platform-process';
import { playJourney } from './journey.ts';
import { Narrator } from './narrator.ts';

/* Plays one parcel's whole way against a platform that it starts itself, on data that it throws away afterwards. */

/** @returns true when every step went well */
async function play(narrator: Narrator): Promise<boolean> {
  narrator.say('Starting a platform of its own (embedded, temporary data) …');
  // On loopback alone: nobody else on the network has anything to do with it.
  const platform = PlatformProcess.prepare({ env: { HOST: '127.0.0.1' } });
  let good = false;
  try {
    await platform.start();
    narrator.say(`It listens at ${platform.quickstart.base_url}.`);
    await playJourney(platform, narrator);
    const exitCode = await platform.stop();
    if (exitCode !== 0) throw new Error(`The platform ended with ${exitCode} on SIGTERM`);
    good = true;
  } catch (error) {
    narrator.say(`\nThe journey ended early: ${error instanceof Error ? error.message : String(error)}`);
    narrator.say(platform.log);
  } finally {
    await platform.dispose();
  }
  return narrator.summary() && good;
}

process.exitCode = (await play(new Narrator())) ? 0 : 1;
