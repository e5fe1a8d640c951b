import { assertDescriptors } from './descriptors.ts';

assertDescriptors();
const { runAllInOne } = await import('./all-in-one.ts');
await runAllInOne(process.env);
