const KEY = /^[a-z0-9][a-z0-9/_.-]{0,254}$/;

/**
 * Checks that `key` is an object key the platform may use; every driver calls it first.
 * @throws RangeError otherwise: keys are never made from input, so a bad one is a defect
 */
export function assertBlobKey(key: string): void {
  if (!KEY.test(key) || key.includes('..')) throw new RangeError('Not an object key');
}
