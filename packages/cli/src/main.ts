import { runParcelctl } from './run-parcelctl.ts';

process.exitCode = await runParcelctl(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  onInterrupt: (stop) => {
    process.once('SIGINT', stop).once('SIGTERM', stop);
    return () => void process.off('SIGINT', stop).off('SIGTERM', stop);
  },
});
