import { runParcelctl } from './run-parcelctl.ts';

process.exitCode = await runParcelctl(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
