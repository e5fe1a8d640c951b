import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { markFile, markOf } from '@parcelway/sqlite/file-mark';
import { isDamaged } from '@parcelway/sqlite/sqlite-errors';
import { type Installation, incomplete, writeFileAtomically, writeInstallation } from './installation.ts';

/** The SQLite file of embedded mode: all stores and the log. */
export const DATABASE = 'parcelway.db';
/** In a folder that is a store. Lists of contents leave out what begins with a dot. */
const FOLDER_MARK = '.installation';

const isFile = (store: string): boolean => store.endsWith('.db');

/**
 * The stores of a data directory: the SQLite file, and folders. `installation.json` lists them, and each has a mark made of the installation's id and
 * environment. What is listed and lacks, is empty, or is of another installation ends the start: the platform would replace it by an empty one. A
 * store that a later version adds is not listed yet; it is marked when it is opened first.
 */
export class KeptStores {
  readonly #directory: string;
  readonly #mark: number;
  #installation: Installation;

  /** @throws Error naming every store that is not there */
  constructor(directory: string, installation: Installation) {
    this.#directory = directory;
    this.#installation = installation;
    this.#mark = createHash('sha256').update(`${installation.id}\n${installation.environment}`).digest().readInt32BE();
    const problems = installation.stores.flatMap((store) => this.#problemOf(store) ?? []);
    if (problems.length > 0) throw incomplete(directory, problems);
  }

  /** The path of a store that is about to be opened. A new one is made, marked and listed. */
  keep(store: string): string {
    const path = join(this.#directory, store);
    const { stores } = this.#installation;
    if (stores.includes(store)) return path;
    if (isFile(store)) markFile(path, this.#mark);
    else writeFileAtomically(join(path, FOLDER_MARK), `${this.#mark}\n`, 0o600);
    this.#installation = { ...this.#installation, stores: [...stores, store] };
    writeInstallation(this.#directory, this.#installation);
    return path;
  }

  #problemOf(store: string): string | undefined {
    const path = join(this.#directory, store);
    const marked = isFile(store) ? path : join(path, FOLDER_MARK);
    const size = statSync(marked, { throwIfNoEntry: false })?.size;
    if (size === undefined) return `${existsSync(path) ? marked : path} is missing`;
    // Before SQLite opens it: that would remove the log beside an empty file.
    if (size === 0) return `${marked} is empty`;
    try {
      const mark = isFile(store) ? markOf(path) : Number(readFileSync(marked, 'utf8'));
      return mark === this.#mark ? undefined : `${path} does not belong to this installation`;
    } catch (error) {
      if (!isDamaged(error)) throw error;
      return `${path} is damaged (${(error as Error).message})`;
    }
  }
}
