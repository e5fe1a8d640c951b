import { runAllInOne } from './all-in-one.ts';

await runAllInOne(process.env);
