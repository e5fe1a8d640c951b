import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import {
  IDEMPOTENCY_KEPT_MS,
  type IdempotencyRecord,
  type IdempotencyScope,
  type IdempotencyStore,
  type RecordedResponse,
} from '@parcelway/kernel/idempotency-store';
import { newToken } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { Request, RequestHandler } from 'express';
import { recordResponse, sendJson } from './response.ts';

/** Header by which a client marks the attempts at one request (IETF draft "The Idempotency-Key HTTP Header Field"). */
const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

const KEY = /^[\x21-\x7e]{1,64}$/;
/** A string of Structured Fields (RFC 9651, section 3.3.3). */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The key of a request, without quotes; undefined when it has none.
 * @throws AppError 42201 when it is not 1 to 64 visible ASCII characters
 */
export function idempotencyKeyOf(req: IncomingMessage): string | undefined {
  const given = req.headers['idempotency-key'];
  if (given === undefined) return undefined;
  const text = String(given);
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text;
  if (key !== undefined && KEY.test(key)) return key;
  const message = `${IDEMPOTENCY_KEY_HEADER} must be 1 to 64 visible ASCII characters, with or without double quotes around them`;
  throw AppError.validation([{ field: IDEMPOTENCY_KEY_HEADER, rule: 'pattern', message }]);
}

/** An attempt expires after so long, which is longer than the gateway waits for any request. */
export const CLAIM_MS = 60_000;

/** What to do with a request whose key is known. */
export type Verdict =
  /** The response exists. */
  | { readonly kind: 'replay'; readonly response: RecordedResponse }
  /** Another attempt is running. */
  | { readonly kind: 'running' }
  /** The key belongs to a request with other content. */
  | { readonly kind: 'other-content' }
  /** The key is taken over; with the seed of the attempts before when it is the same request, so that nothing takes effect twice. */
  | { readonly kind: 'claim'; readonly seed: string | undefined; readonly createdAt: number };

/** Judges a request by the record of its key. @param now epoch milliseconds */
export function judge(known: IdempotencyRecord, fingerprint: string, now: number): Verdict {
  const afresh: Verdict = { kind: 'claim', seed: undefined, createdAt: now };
  if (now - known.createdAt >= IDEMPOTENCY_KEPT_MS) return afresh;
  const isSame = known.fingerprint === fingerprint;
  const hasFailed = known.claimedUntil === 0;
  if (!isSame) return known.response === null && hasFailed ? afresh : { kind: 'other-content' };
  if (known.response !== null) return { kind: 'replay', response: known.response };
  if (now < known.claimedUntil) return { kind: 'running' };
  return { kind: 'claim', seed: known.seed, createdAt: known.createdAt };
}

/** Responses beyond this size are not recorded. Of the routes that take a key, only a correction of many items comes near it; it knows its seed again. */
const MAX_RECORDED_BYTES = 64 * 1024;
const SEED_BYTES = 32;

/**
 * Claims the key of a request.
 * @param content a digest that distinguishes the content of the request
 * @returns false when the response of an earlier attempt has been sent instead
 * @throws AppError 40901 when the key belongs to other content; 40902 when another attempt is under way
 */
export type ClaimKey = (content: string) => Promise<boolean>;

/** How the responses of a route are recorded. */
export interface RecordingOptions {
  /** Further headers of a response that is sent again, given its body. */
  readonly headersOf?: (body: string) => Readonly<Record<string, string>>;
  /** Seals what is recorded, for responses with a secret that is stored nowhere else. */
  readonly sealer?: TextSealer;
}

/** Where a sealed response opens. */
const placeOf = ({ ownerId, route, key }: IdempotencyScope): string => `idempotency ${JSON.stringify([ownerId, route, key])}`;

const seeds = new WeakMap<IncomingMessage, string>();

/** Random text that all attempts at a request share; undefined when it has no key. What is derived from it is made once. */
export function seedOf(req: IncomingMessage): string | undefined {
  return seeds.get(req);
}

function otherContent(): AppError {
  const message = `This ${IDEMPOTENCY_KEY_HEADER} was used for a request with other content; use another key`;
  return new AppError('40901', message, { data: { header: IDEMPOTENCY_KEY_HEADER, fields: [] } });
}

function underWay(): AppError {
  const message = `A request with this ${IDEMPOTENCY_KEY_HEADER} is in progress; send it again to get its result`;
  return new AppError('40902', message, { data: { header: IDEMPOTENCY_KEY_HEADER }, retryAfterSeconds: 1 });
}

/**
 * Lets a request with the header `Idempotency-Key` take effect once: its success response is recorded before it is sent, and sent again
 * to whoever repeats the request within 24 hours. Requests without the header pass untouched.
 */
export class Idempotency {
  readonly #options: { readonly store: IdempotencyStore; readonly clock: Clock; readonly logger: Logger };

  constructor(options: { readonly store: IdempotencyStore; readonly clock: Clock; readonly logger: Logger }) {
    this.#options = options;
  }

  /**
   * Middleware of a route, behind the one that reads the body.
   * @param ownerOf gives the tenant id or the warehouse code
   */
  route(id: string, ownerOf: (req: Request) => string, recording?: RecordingOptions): RequestHandler {
    return async (req, res, next) => {
      const claim = this.claimOf(id, ownerOf, req, res, recording);
      if (claim === undefined || (await claim(req.body === undefined ? '' : JSON.stringify(req.body)))) next();
    };
  }

  /**
   * For a route that knows the content of its requests late. @returns undefined when the request has no key
   * @throws AppError 42201 when the key is malformed
   */
  claimOf(
    route: string,
    ownerOf: (req: Request) => string,
    req: Request,
    res: ServerResponse,
    recording: RecordingOptions = {},
  ): ClaimKey | undefined {
    const key = idempotencyKeyOf(req);
    if (key === undefined) return undefined;
    const scope = { ownerId: ownerOf(req), route, key };
    return (content) => this.#claim(scope, `${req.originalUrl} ${content}`, req, res, recording);
  }

  async #claim(
    scope: IdempotencyScope,
    content: string,
    req: IncomingMessage,
    res: ServerResponse,
    { headersOf, sealer }: RecordingOptions,
  ): Promise<boolean> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const first: IdempotencyRecord = {
      ...scope,
      fingerprint: createHash('sha256').update(content).digest('base64url'),
      seed: newToken(SEED_BYTES),
      claim: newToken(),
      claimedUntil: now + CLAIM_MS,
      createdAt: now,
      response: null,
    };
    const known = await store.add(first).catch(async (error: unknown) => {
      // The key may be stored in spite of the error. Its release lets a repeat start at once.
      await store.release(first, first.claim).catch(() => undefined);
      throw error;
    });
    if (known === undefined) return this.#hold(first, req, res, sealer);
    const verdict = judge(known, first.fingerprint, now);
    if (verdict.kind === 'other-content') throw otherContent();
    if (verdict.kind === 'replay') {
      res.setHeader('Idempotent-Replayed', 'true');
      const body = sealer === undefined ? verdict.response.body : sealer.open(verdict.response.body, placeOf(scope));
      for (const [name, value] of Object.entries(headersOf?.(body) ?? {})) res.setHeader(name, value);
      sendJson(res, verdict.response.status, body);
      return false;
    }
    if (verdict.kind === 'running') throw underWay();
    const next = { ...first, seed: verdict.seed ?? first.seed, createdAt: verdict.createdAt };
    if (!(await store.replace(next, known.claim))) throw underWay();
    return this.#hold(next, req, res, sealer);
  }

  /** The request goes on; its response is recorded. */
  #hold(record: IdempotencyRecord, req: IncomingMessage, res: ServerResponse, sealer: TextSealer | undefined): true {
    const { store, logger } = this.#options;
    const place = placeOf(record);
    const release = async (): Promise<void> => {
      try {
        await store.release(record, record.claim);
      } catch (error) {
        logger.warn({ err: error, route: record.route }, 'an idempotency key could not be released; it can be used again after a minute');
      }
    };
    seeds.set(req, record.seed);
    recordResponse(res, {
      async success(status, plain) {
        const body = sealer === undefined ? plain : sealer.seal(plain, place);
        await failpointAsync('idempotency.before-record');
        if (Buffer.byteLength(body) > MAX_RECORDED_BYTES) {
          logger.warn(
            { route: record.route, bytes: Buffer.byteLength(body) },
            'a response is too large to be recorded for its idempotency key',
          );
          await release();
          return { status, body: plain };
        }
        try {
          const recorded = await store.complete(record, record.seed, { status, body });
          // Another attempt may have recorded its own before.
          if (recorded === undefined || recorded.body === body) return { status, body: plain };
          return sealer === undefined ? recorded : { ...recorded, body: sealer.open(recorded.body, place) };
        } catch (error) {
          await release();
          throw error;
        }
      },
      failure: release,
    });
    return true;
  }
}
