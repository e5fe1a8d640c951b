/** What the process is given at its start, as JSON. */
interface ProcessStart {
  /** Text of the thread's program. */
  readonly program: string;
  readonly workerData: object;
  /** Of the thread, in MB. */
  readonly maxHeapMb: number;
}

/** Runs a program in a thread, and passes messages on between the thread and the parent process. Ends with its parent, whatever the thread does. */
function runThread(): void {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const { program, workerData, maxHeapMb } = JSON.parse(process.argv[1] as string) as ProcessStart;
  const thread = new Worker(program, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
  thread.on('message', (message) => process.send?.(message));
  thread.on('error', () => process.exit(1));
  process.on('message', (message) => thread.postMessage(message));
  process.on('disconnect', () => process.exit());
}

/** The program of a process that runs another program in a thread; for `node --eval`. */
export const processProgram = `(${runThread})()`;
