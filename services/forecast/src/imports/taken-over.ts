/** Says that another process has taken an import: nothing was written, and who had it before leaves it alone. */
export class TakenOver extends Error {
  constructor() {
    super('Another process has taken the import');
  }
}
