import { describe, expect, test } from '@jest/globals';
import { describeConditions } from './conditions.ts';

describe('describeConditions', () => {
  test('distinguishes the servers of distributed mode from other programs, when they are known', () => {
    expect(describeConditions({ mode: 'embedded', others: 0.031, stolen: 0, servers: undefined })).toMatch(
      /, 3 % of them used by other programs meanwhile\.$/,
    );
    expect(describeConditions({ mode: 'distributed', others: 0.031, stolen: 0, servers: 0.4 })).toContain(
      '40 % of them used by the servers, 3 % by other programs',
    );
    expect(describeConditions({ mode: 'distributed', others: 0.5, stolen: 0, servers: undefined })).toContain(
      '50 % of them used by servers and other programs',
    );
  });

  test('shows what the host of a virtual machine took', () => {
    expect(describeConditions({ mode: 'embedded', others: 0, stolen: 0.44, servers: undefined })).toMatch(
      /, 0 % of them used by other programs, 44 % taken by the host of this virtual machine meanwhile\.$/,
    );
  });

  test('says of distributed mode that everything shares the machine', () => {
    expect(describeConditions({ mode: 'distributed', others: 0, stolen: 0, servers: 0.4 })).toContain(
      'replicas compete for the same cores',
    );
  });
});
