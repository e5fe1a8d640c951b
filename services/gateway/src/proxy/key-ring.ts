import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { FairQueue } from '@parcelway/kernel/fair-queue';
import { secondsToToken, TOKEN, TokenBuckets } from '@parcelway/kernel/token-bucket';
import { type AdmittedKey, compileAllowedAddresses, principalOfKey } from './domain/admission.ts';
import { constantTimeEqual, hashKey, isPlausibleKey } from './domain/api-key.ts';
import { networkOf } from './domain/client-network.ts';
import type { KnownKey, RateRule } from './domain/key.ts';
import { rateRuleOf } from './domain/rate-limits.ts';
import type { TableRoute } from './domain/route-table.ts';
import type { SessionTokens } from './domain/session.ts';
import { type ActingSession, actingSession, type OpenedSession, recordOfSession } from './domain/session.ts';
import type { KeyLookup } from './ports.ts';

type RateClass = TableRoute['rateClass'];

/** A bucket to draw from. */
export interface KeyBucket {
  readonly name: string;
  readonly rule: RateRule;
}

/** A key in use: its record, and what is derived from it once instead of per request. */
export interface ActiveKey extends AdmittedKey {
  /** The same object while the key stays cached, so that its signature is too. */
  readonly principal: Principal;
  /** Whose share of connections and memory its requests use, such as `tenant tnt_1`. */
  readonly holder: string;
  readonly buckets: Readonly<Record<RateClass, KeyBucket | null>>;
  /** Not used after this, without being looked up again. */
  readonly staleAt: number;
  /** The session of the console that acts for the key; null when the key itself was sent. */
  readonly session: ActingSession | null;
}

/** How long a look-up is trusted. A key that another process revokes works no longer than this, which is promised to be below 5 s. */
const TTL_MS = 4500;
/** Keys held at a time, and wrong keys and those who sent them; beyond it the oldest is dropped. */
const MAX_KEYS = 10_000;
/** Wrong keys that a client may send at once, and how many it gets back a second. */
const FAILURES = { perSecond: 1, burst: 100 };

/** What the ring works with. */
export interface KeyRingOptions {
  readonly environment: Environment;
  readonly keys: KeyLookup;
  readonly clock: Clock;
  /** False switches the limit on failures off too. */
  readonly limitFailures: boolean;
  /** Opens sessions of the console; default: there are none. */
  readonly sessions?: Pick<SessionTokens, 'isToken' | 'open'> | undefined;
}

/** Puts an entry last; drops the first one when there are too many. */
function remember<T>(entries: Map<string, T>, hash: string, value: T): void {
  entries.delete(hash);
  entries.set(hash, value);
  if (entries.size > MAX_KEYS) entries.delete(entries.keys().next().value as string);
}

/** True while a look-up is trusted. When the clock was set back, its age is unknown: it is not trusted. */
function isFresh(staleAt: number | undefined, now: number): boolean {
  return staleAt !== undefined && now < staleAt && staleAt - now <= TTL_MS;
}

const sessionEnded = (): AppError => new AppError('40003', 'The session of the console has ended, or its key opens nothing any more');

/** Finds the holder of a key. A key seen a moment ago is found at once, without a promise. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #active = new Map<string, ActiveKey>();
  readonly #loading = new Map<string, Promise<ActiveKey | undefined>>();
  /** By the network of the client. It says who has failed too often, not whether a key is good: a client behind the same address is not shut out. */
  readonly #failures = new TokenBuckets(MAX_KEYS);
  /** Hash of a key that does not exist → until when that is trusted. */
  readonly #absent = new Map<string, number>();
  /** Look-ups for addresses that failed too often, about a millisecond each. */
  readonly #suspects = new FairQueue({ atOnce: 16, places: 4096, maxWaitMs: 2000, refusal: 'Too many keys wait to be checked' });

  constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  /**
   * The holder of a key. Whether it is expired, suspended or allowed is decided per use, by the caller.
   * A key that exists is found however often others have failed from the same address: only wrong keys are limited.
   * @param address of the client; failures are counted by it
   * @throws AppError (or rejects with) 40003 when no such key exists, 42901 when the address failed too often, 50301
   */
  authenticate(key: string, address: string): ActiveKey | Promise<ActiveKey> {
    if (this.#options.sessions?.isToken(key)) return this.#authenticateSession(key, address);
    const now = this.#options.clock.now();
    const hash = hashKey(key);
    const active = this.#active.get(hash);
    if (active !== undefined && isFresh(active.staleAt, now)) return active;
    return this.#lookUp(key, hash, address, now, active !== undefined);
  }

  /** A session opens what its key opens, as long as the key does. A token that was not made here counts as a wrong key. */
  #authenticateSession(token: string, address: string): ActiveKey | Promise<ActiveKey> {
    const now = this.#options.clock.now();
    const opened = this.#options.sessions?.open(token);
    if (opened === undefined) throw this.#refusal(address);
    if (now >= opened.expiresAt) throw sessionEnded();
    const active = this.#active.get(opened.keyHash);
    if (active !== undefined && isFresh(active.staleAt, now)) return this.#sessionOf(opened, active);
    return this.#lookUpSession(opened, now);
  }

  /** No address is counted: whoever has a token that was made here does not guess. */
  async #lookUpSession(opened: OpenedSession, now: number): Promise<ActiveKey> {
    const mayExist = !isFresh(this.#absent.get(opened.keyHash), now);
    const found = mayExist ? await this.#load(opened.keyHash) : undefined;
    if (found === undefined) throw sessionEnded();
    return this.#sessionOf(opened, found);
  }

  #sessionOf(opened: OpenedSession, of: ActiveKey): ActiveKey {
    const record = recordOfSession(of.known.record, opened);
    const principal = principalOfKey(record, this.#options.environment);
    return { ...of, known: { ...of.known, record }, principal, session: actingSession(opened, of.known.record) };
  }

  /** Forgets a key at once, because its record has changed. @param hash of the key */
  forgetHash(hash: string): void {
    this.#active.delete(hash);
  }

  /** Forgets every key of a tenant at once, because the tenant's state has changed. */
  forgetTenant(tenantId: string): void {
    for (const [hash, { known }] of this.#active) {
      const { holder } = known.record;
      if (holder.kind === 'tenant' && holder.tenantId === tenantId) this.#active.delete(hash);
    }
  }

  async #lookUp(key: string, hash: string, address: string, now: number, wasKnown: boolean): Promise<ActiveKey> {
    // Without a look-up: an invention, a typo, a key of the other environment, and what was just looked up in vain.
    const mayExist = isPlausibleKey(this.#options.environment, key) && !isFresh(this.#absent.get(hash), now);
    // A key that was good is only looked at again: its holder must not pay for others who guess from the same address.
    const isSuspect = !wasKnown && this.#secondsToWait(address, now) > 0;
    const found = mayExist ? await this.#load(hash, isSuspect ? address : undefined) : undefined;
    if (found) return found;
    throw this.#refusal(address);
  }

  #secondsToWait(address: string, now: number): number {
    return this.#options.limitFailures ? secondsToToken(this.#failures.levelOf(networkOf(address), FAILURES, now), FAILURES) : 0;
  }

  /** Counts a wrong key. @returns the error for its sender */
  #refusal(address: string): AppError {
    const now = this.#options.clock.now();
    const seconds = this.#secondsToWait(address, now);
    if (seconds > 0) {
      return new AppError('42901', 'Too many requests with invalid keys from this address', {
        retryAfterSeconds: seconds,
        data: { retry_after_seconds: seconds },
      });
    }
    const client = networkOf(address);
    this.#failures.set(client, Math.max(0, this.#failures.levelOf(client, FAILURES, now) - TOKEN), now);
    return new AppError('40003');
  }

  /** One look-up per key at a time, however many requests wait for it. @param suspect address that failed too often: it waits for its turn */
  #load(hash: string, suspect?: string): Promise<ActiveKey | undefined> {
    const running = this.#loading.get(hash);
    if (running) return running;
    const fetched = suspect === undefined ? this.#fetch(hash) : this.#suspects.run(networkOf(suspect), () => this.#fetch(hash));
    const load = fetched.finally(() => this.#loading.delete(hash));
    this.#loading.set(hash, load);
    return load;
  }

  async #fetch(hash: string): Promise<ActiveKey | undefined> {
    const { keys, clock } = this.#options;
    // Measured from before the look-up: what changes during it is seen in time too.
    const staleAt = clock.now() + TTL_MS;
    const known = await keys.findByHash(hash);
    if (known === undefined || !constantTimeEqual(known.record.hash, hash)) {
      this.#active.delete(hash);
      remember(this.#absent, hash, staleAt);
      return undefined;
    }
    const active = this.#activate(known, staleAt);
    remember(this.#active, hash, active);
    return active;
  }

  #activate(known: KnownKey, staleAt: number): ActiveKey {
    const bucket = (rateClass: RateClass): KeyBucket | null => {
      const rule = rateRuleOf(known.record, rateClass);
      return rule && { name: `${known.record.keyId}:${rateClass}`, rule };
    };
    const { holder } = known.record;
    return {
      known,
      allows: compileAllowedAddresses(known.record.allowedAddresses),
      holder: holder.kind === 'tenant' ? `tenant ${holder.tenantId}` : `warehouse ${holder.warehouseCode}`,
      principal: principalOfKey(known.record, this.#options.environment),
      buckets: { standard: bucket('standard'), upload: bucket('upload'), tracking: bucket('tracking'), batch: bucket('batch') },
      staleAt,
      session: null,
    };
  }
}
