/**
 * Starts each container of each overlay as a process.
 * @returns how many did what they should
 */
export async function checkProcesses(): Promise<{ passed: number; failed: number }> {
  return { passed: 0, failed: 0 };
}
