/** A number of things in English, such as `1 delivery` or `2 deliveries`. */
export function plural(count: number, one: string, other: string): string {
  return `${count} ${count === 1 ? one : other}`;
}
