import { assertDescriptors } from './descriptors.ts';

assertDescriptors();
const { runDistributed } = await import('./distributed.ts');
await runDistributed(process.env);
