/** A variable that names a real server to test on. @throws Error when it is not set */
export function serverVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start the servers`);
  return value;
}
