import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { serviceNames } from '@parcelway/contracts/service-name';

/* The commands of the manual that replace the services one after the other. */

const root = new URL('../../../', import.meta.url);
const manual = readFileSync(new URL('docs/kubernetes.md', root), 'utf8');
const loops = [...manual.matchAll(/^(?:finished sandbox migrate 90060 && )?(for service in [\s\S]*?^done)$/gm)].map(
  ([, loop = '']) => loop,
);

/**
 * Runs a loop with a kubectl that writes down what it is asked for.
 * @param failing service whose rollout fails
 * @returns the services whose rollout was waited for, in order
 */
function rolledOut(loop: string, failing = 'none'): readonly string[] {
  const script = `
    kubectl() {
      case "$1" in kustomize) return 0 ;; apply) cat > /dev/null; echo "apply $*"; return 0 ;; esac
      case " $* " in *" rollout status deployment/${failing} "*) return 1 ;; esac
      echo "$*"
    }
    ${loop}`;
  const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8', timeout: 20_000 });
  return stdout.split('\n').flatMap((line) => /rollout status deployment\/(\S+)/.exec(line)?.slice(1) ?? []);
}

test('a rollout replaces every service, and a rollback does so in the reverse order', () => {
  const [forward, back, ...others] = loops;
  expect(others).toEqual([]);
  const order = rolledOut(String(forward));
  expect(order.slice(0, 3)).toEqual(['gateway', 'forecast', 'tracking']);
  expect(order.toSorted()).toEqual(serviceNames.toSorted());
  expect(rolledOut(String(back))).toEqual(order.toReversed());
});

test('both end at a service that does not become ready', () => {
  expect(loops.map((loop) => rolledOut(loop, 'forecast'))).toEqual([['gateway'], ['webhook', 'warehouse-intake', 'file', 'tracking']]);
});

test('the label by which the manual selects a Deployment is its name', () => {
  expect(loops[0]).toContain('app.kubernetes.io/name=$service');
  for (const name of serviceNames) {
    const deployment = readFileSync(new URL(`k8s/base/${name}/deployment.yaml`, root), 'utf8');
    expect(deployment).toContain(`\nmetadata:\n  name: ${name}\n  labels: { app.kubernetes.io/name: ${name} }\n`);
  }
});
