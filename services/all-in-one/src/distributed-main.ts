import { runDistributed } from './distributed.ts';

await runDistributed(process.env);
