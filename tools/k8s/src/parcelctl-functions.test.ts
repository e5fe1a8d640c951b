import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/* The functions by which operators of the manual run parcelctl in a pod. */

const root = new URL('../../../', import.meta.url);

/** Runs `parcelctl tenant list` with a pod that shows what parcelctl was called with. */
function run(page: string, stdin: string, token: string): { readonly stdout: string; readonly stderr: string } {
  const [helper = ''] = /^parcelctl\(\) \{\n[\s\S]*?^\}$/m.exec(readFileSync(new URL(`docs/${page}`, root), 'utf8')) ?? [];
  const inPod = 'parcelctl() { echo "$PARCEL_ADMIN_TOKEN|$PARCEL_ADMIN_URL|$*|$(cat)"; }';
  const script = `
    kubectl() {
      echo "kubectl $*" >&2
      while [ "$1" != sh ]; do shift; done
      local program=$3; shift 3
      ADMIN_TOKEN_FILE=/dev/null sh -c '${inPod}'"; \${program/exec /}" "$@"
    }
    NS=parcelway-production PARCEL_ADMIN_TOKEN=${token}
    ${helper}
    parcelctl connection add --credentials-file -`;
  return spawnSync('bash', ['-c', script], { input: stdin, encoding: 'utf8', timeout: 20_000 });
}

describe.each(['kubernetes.md', 'runbooks/README.md'])('the function of %s', (page) => {
  test("uses the operator's own token, and passes its input on", () => {
    const { stdout, stderr } = run(page, '{"key":"k"}', 'pfo_own');
    expect(stdout).toBe('pfo_own|http://127.0.0.1:8444|connection add --credentials-file -|{"key":"k"}\n');
    expect(stderr).not.toContain('pfo_own');
  });
});
