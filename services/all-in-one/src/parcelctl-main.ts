#!/usr/bin/env node
import { askOnTerminal } from '@parcelway/cli/ask-on-terminal';
import { runParcelctl } from '@parcelway/cli/run-parcelctl';
import { stopWithNpm } from './stop-with-npm.ts';

/* parcelctl is here and not in packages/cli because only this workspace knows all services: doctor asks them what their databases hold. */

// Whoever reads the output may have read enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

stopWithNpm(process.env);

process.exitCode = await runParcelctl(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  input: process.stdin,
  onInterrupt: (stop) => {
    process.once('SIGINT', stop).once('SIGTERM', stop);
    return () => void process.off('SIGINT', stop).off('SIGTERM', stop);
  },
  // Standard output may go into a file or a program while a person sits before the rest.
  ...(process.stdin.isTTY && process.stderr.isTTY
    ? { confirm: (question: string) => askOnTerminal(question, process.stdin, process.stderr) }
    : {}),
  // Behind an import: the other commands start without the services' code.
  async stores() {
    const { backServices, gateway } = await import('./services.ts');
    return [gateway, ...backServices];
  },
});
