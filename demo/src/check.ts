/** @throws Error with that sentence unless the condition holds */
export function check(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}
