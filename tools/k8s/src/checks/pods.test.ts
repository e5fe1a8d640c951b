import { describe, expect, test } from '@jest/globals';
import { podProblems } from './check-pods.ts';
import { planted, readManifests } from './manifests.ts';

const sandbox = readManifests('example-sandbox');

describe('ports, probes, ends and rights of every pod', () => {
  test.each([
    ['"path":"/readyz"', '"path":"/ready"', 'file: readinessProbe asks /ready; the admin port serves /livez, /startupz, /readyz, /metrics'],
    ['"path":"/livez"', '"path":"/readyz"', 'file: livenessProbe asks /readyz, which says something else than /livez'],
    ['"path":"/startupz","port":"admin"', '"path":"/startupz","port":"service"', 'startupProbe asks port service; the admin port is 8444'],
    ['"ADMIN_PORT":"8444"', '"ADMIN_PORT":"9444"', 'file: port admin is 8444; the service listens at 9444'],
    ['"ADMIN_HOST":"0.0.0.0"', '"ADMIN_HOST":"127.0.0.1"', 'admin server listens at 127.0.0.1'],
    ['"PORT":"8443"', '"PORT":"443"', 'gateway: port public is 8443; the service listens at 443'],
    ['"terminationGracePeriodSeconds":45', '"terminationGracePeriodSeconds":35', 'file: is killed after 35 s'],
    ['{"preStop":{"sleep":{"seconds":10}}}', '{}', 'file: has no preStop pause'],
    ['--max-old-space-size=320', '--max-old-space-size=1024', 'file: has a heap of 1024 MiB in 1200 MiB of memory'],
    ['"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false', 'file: can write to its file system'],
    ['"drop":["ALL"]', '"drop":["NET_RAW"]', 'file: has capabilities'],
    ['"allowPrivilegeEscalation":false', '"allowPrivilegeEscalation":true', 'file: can gain privileges'],
    ['"runAsNonRoot":true', '"runAsNonRoot":false', 'file: may run as root'],
    ['"type":"RuntimeDefault"', '"type":"Unconfined"', 'file: has no seccomp profile RuntimeDefault'],
    ['"enableServiceLinks":false', '"enableServiceLinks":true', 'file: gets the variables of Services'],
    ['parcelway:0.1.0', 'parcelway:latest', 'file: runs registry.example.com/parcelway:latest, which names no version'],
    ['services/file/dist/main.js', 'services/files/dist/main.js', 'file: runs services/files/dist/main.js, which does not exist'],
    ['"targetPort":"service"', '"targetPort":"http"', 'Service file leads to port http, which its pods do not have'],
    [
      '"FORECAST_URL":"http://forecast:8080"',
      '"FORECAST_URL":"http://forecasts:8080"',
      'FORECAST_URL is http://forecasts:8080, where no Service is',
    ],
  ])('the fault is reported: %s as %s', (sound, fault, expected) => {
    expect(podProblems(planted(sandbox, sound, fault))).toContainEqual(expect.stringContaining(expected));
  });
});
