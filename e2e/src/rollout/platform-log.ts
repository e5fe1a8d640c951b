/** What processes of a service have logged above information, by what it says. */
export interface LoggedLine {
  /** Of the process. */
  readonly name: string;
  readonly message: string;
  /** On the clock of `Date.now()`. */
  readonly at: number;
}

/** The lines of a process's log; what is no line of JSON (a failed start says why in words) is taken as it is. */
export function linesOf({ name, log }: { readonly name: string; readonly log: string }): LoggedLine[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        const { msg, time } = JSON.parse(line) as { msg?: string; time?: string };
        return { name, message: msg ?? line, at: Date.parse(time ?? '') };
      } catch {
        return { name, message: line.slice(0, 200), at: Number.NaN };
      }
    });
}

/** True for what a process did not manage at once and does again by itself: nobody outside notices. */
export function isRetry({ message }: LoggedLine): boolean {
  return /\bagain\b/.test(message);
}

/** Counts lines that say the same of the same service. @returns sentences, the most frequent first */
export function summaryOf(lines: readonly LoggedLine[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { name, message } of lines) {
    const what = `${name.replace(/-\d+$/, '')}: ${message}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([what, count]) => `${count} × ${what}`);
}
