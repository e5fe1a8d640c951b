import { describe, expect, test } from '@jest/globals';
import { circuitAfter, FAILURES_TO_OPEN, FIRST_COOLDOWN_MS, isOpen, MAX_OPEN_MS, probesAllowed } from './circuit.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');

describe('a circuit', () => {
  test('lets nothing through, then one probe, whose failure opens it for longer, to a limit', () => {
    let circuit = circuitAfter(null, FAILURES_TO_OPEN, NOW, 0);
    let now = NOW;
    const cooldowns: number[] = [];
    for (let probe = 0; probe < 10; probe += 1) {
      expect(probesAllowed(circuit, now)).toBe(0);
      // What was under way when it opened changes nothing.
      expect(circuitAfter(circuit, 30, now, 0)).toBe(circuit);
      now = circuit?.openUntil ?? 0;
      expect(probesAllowed(circuit, now)).toBe(1);
      circuit = circuitAfter(circuit, 21 + probe, now, 0);
      cooldowns.push((circuit?.openUntil ?? 0) - now);
    }
    expect(cooldowns).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60, 60].map((seconds) => seconds * 1000));
    expect(circuitAfter(circuit, 0, now, 0)).toBeNull();
  });

  test('is not believed to be open for longer than any is opened: a clock was wrong, and would stop the endpoint for hours', () => {
    const circuit = { openUntil: NOW + MAX_OPEN_MS, cooldownMs: FIRST_COOLDOWN_MS };
    expect([isOpen(circuit, NOW), probesAllowed(circuit, NOW)]).toEqual([true, 0]);
    expect([isOpen(circuit, NOW - 1), probesAllowed(circuit, NOW - 1)]).toEqual([false, 1]);
    const cooldownMs = 2 * FIRST_COOLDOWN_MS;
    expect(circuitAfter(circuit, 21, NOW - 1, 0)).toEqual({ openUntil: NOW - 1 + cooldownMs, cooldownMs });
  });
});
