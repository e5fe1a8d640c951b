import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

/*
 * Imported into a process before its own code: profiles its CPU from the first moment and writes the profile into
 * PROFILE_DIR when it ends (node's own option for this is not allowed in NODE_OPTIONS). The file is named after the
 * replica, if it is one.
 */

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
process.on('exit', () => {
  session.post('Profiler.stop', (_error, { profile }) => {
    const name = `${process.env['REPLICA_ID'] ?? 'platform'}-${process.pid}.cpuprofile`;
    writeFileSync(join(process.env['PROFILE_DIR'] ?? '.', name), JSON.stringify(profile));
  });
});
