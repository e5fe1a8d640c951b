// `npm run check:cluster`: starts each container of each overlay in k8s/ as a process, without a cluster. The last line is `N passed, N failed`.
import { checkProcesses } from './pods/check-processes.ts';

const { passed, failed } = await checkProcesses();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
