import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A connection of a client that sends a request and does not read the response. */
export class UnreadClient {
  readonly #socket: Socket;
  #received = 0;
  #head = '';
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    // A reset is an end like any other.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
    });
  }

  /**
   * Connects, sends and leaves the response unread.
   * @param ca PEM; null speaks plain TCP
   * @throws Error when the connection ends before the bytes are sent
   */
  static open({ port, ca }: { readonly port: number; readonly ca: string | null }, bytes: string | Buffer): Promise<UnreadClient> {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port };
      const send = (): void => void socket.write(bytes, () => resolve(client));
      const socket = ca === null ? connectPlain(options, send) : connectTls({ ...options, ca, servername: 'localhost' }, send);
      const client = new UnreadClient(socket);
      socket.pause();
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('The connection ended before the request was sent')));
    });
  }

  /** True once this side knows that the connection has ended. It does not while it reads nothing. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Bytes read, the head of the response included. */
  get received(): number {
    return this.#received;
  }

  /** Status of the response; 0 while none has been read. */
  get status(): number {
    return Number(/^HTTP\/1\.[01] (\d{3})/.exec(this.#head)?.[1] ?? 0);
  }

  /** Sends more. */
  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /**
   * Reads from now on.
   * @param limit stops again after so many bytes, about
   * @param onChunk given what is read
   */
  read(limit = Number.POSITIVE_INFINITY, onChunk?: (chunk: Buffer) => void): void {
    let left = limit;
    const take = (chunk: Buffer): void => {
      this.#received += chunk.length;
      if (this.#head.length < 1000) this.#head += chunk.toString('latin1');
      onChunk?.(chunk);
      left -= chunk.length;
      if (left <= 0) this.#socket.off('data', take).pause();
    };
    this.#socket.on('data', take).resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
