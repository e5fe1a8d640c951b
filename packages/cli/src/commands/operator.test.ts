import { describe, expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();

describe('parcelctl operator', () => {
  test('creates an operator and says that the token is shown once', async () => {
    parcelctl.server.succeed({ name: 'li', role: 'support', token: 'pfo_x' });
    const { code, out } = await parcelctl.run(['operator', 'create', 'li', '--role', 'support', '--expires-in', '90d']);
    expect([code, out]).toEqual([0, expect.stringMatching(/token +pfo_x\n\nSave the token now\. It is not shown again\./)]);
    expect(parcelctl.server.seen).toMatchObject([
      { method: 'POST', url: '/admin/v1/operators', body: { name: 'li', role: 'support', expires_in_seconds: 7_776_000 } },
    ]);
  });

  test('takes no role that does not exist, and none by default', async () => {
    const unknown = await parcelctl.run(['operator', 'create', 'li', '--role', 'root']);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('Enter one of read, support, admin.')]);
    expect((await parcelctl.run(['operator', 'create', 'li'])).code).toBe(2);
    expect(parcelctl.server.seen).toEqual([]);
  });

  test('lists operators', async () => {
    parcelctl.server.succeed({ operators: [{ name: 'li', role: 'read', state: 'active', last_use_time: null }] });
    expect((await parcelctl.run(['operator', 'list'])).out).toMatch(/^OPERATOR +ROLE +STATE.*\nli +read +active/);
    parcelctl.server.succeed({ operators: [] });
    expect((await parcelctl.run(['operator', 'list'])).out).toContain('no operators besides');
  });

  test('revokes the token of an operator', async () => {
    parcelctl.server.succeed({ name: 'a/b', state: 'revoked' });
    expect((await parcelctl.run(['operator', 'revoke', 'a/b'])).code).toBe(0);
    expect(parcelctl.server.seen).toMatchObject([{ method: 'POST', url: '/admin/v1/operators/a%2Fb/revoke' }]);
  });

  test('says which role a call needs', async () => {
    parcelctl.server.fail(403, '40301', 'This call needs the role admin; the operator li has the role read', {
      required_role: 'admin',
      role: 'read',
    });
    const { code, err } = await parcelctl.run(['operator', 'list']);
    expect(code).toBe(1);
    expect(err).toContain('needs the role admin');
    expect(err).toContain('Ask an operator with this role');
  });
});
