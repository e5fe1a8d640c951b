import type { CarrierNode } from '../domain/node.ts';
import type { Carrier, CarrierParcel } from '../ports.ts';
import { type CircuitOptions, createCircuit } from './circuit.ts';

/** A carrier behind a breaker. */
export interface GuardedCarrier {
  /**
   * @param traceparent of what the question is asked for
   * @throws AppError 50001, at once while the breaker is open
   */
  track(parcel: CarrierParcel, traceparent?: string): Promise<readonly CarrierNode[]>;
  close(): void;
}

/** Puts a deadline and a breaker (circuit.ts) around a carrier. */
export function guardCarrier(carrier: Carrier, options: CircuitOptions): GuardedCarrier {
  const circuit = createCircuit(options);
  return {
    track: (parcel, traceparent) => circuit.run((signal) => carrier.track(parcel, signal), traceparent),
    close: () => circuit.close(),
  };
}
