import { expect } from '@jest/globals';
import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute, type RouteCall } from '@parcelway/harness/route-call';
import type { Stage } from '../../stage.ts';
import { useMerchant, useOpened, useStageWithMerchant } from '../../use-stage.ts';

/* Two tenants side by side. What is not one's own looks exactly like what does not exist. */

/** Route id → tries one of the two on what belongs to the other. */
export type Cases = Readonly<Record<string, () => Promise<void>>>;

/** Creates a resource of the owner. @returns its path, and the path of a missing one */
export type Paths = () => Promise<readonly [owned: RouteCall['path'], missing: RouteCall['path']]>;

/** What the owner has. */
interface Owned {
  readonly po_number: string;
  readonly forecast_no: string;
  readonly trackingNumber: string;
  readonly endpoint_id: string;
  readonly delivery_id: string;
  readonly fileUrl: string;
  readonly photoUrl: string;
}

/** Those who try it, and those whom it must not reach. */
export interface Neighbours {
  readonly stage: Stage;
  readonly owner: Merchant;
  readonly stranger: Merchant;
  readonly owned: Owned;
  /** The stranger's call on the owner's resource has the same response as the same call on a missing one. */
  readonly likeMissing: (id: string, onOwned: RouteCall, onMissing: RouteCall, code: string, by?: ApiClient) => Promise<void>;
  /** {@link likeMissing} on a resource of the owner, which must not change. @param read route that shows it */
  readonly outOfReach: (id: string, read: string, paths: Paths, body?: unknown) => () => Promise<void>;
}

/** Neighbours for the tests of a file. */
export function useNeighbours(): Neighbours {
  const { stage, merchant: owner } = useStageWithMerchant();
  const stranger = useMerchant(stage);
  const owned = useOpened('data of the owner', async (): Promise<Owned> => {
    const receiver = await stage.receiver();
    const { endpoint_id } = await owner.createEndpoint({ url: receiver.url });
    const trackingNumber = newPoNumber('TRK');
    const { po_number, forecast_no } = await owner.submit({ trackingNumber });
    await owner.simulate({ po_number, step: 'weigh' });
    await receiver.waitForEvent('parcel.weighed', po_number);
    const log = await expectRoute<{ deliveries: Delivery[] }>(owner.client, 'listDeliveries', { path: { endpoint_id } });
    const [image] = (await owner.weighing(po_number)).weighing_images;
    return {
      po_number,
      forecast_no,
      trackingNumber,
      endpoint_id,
      delivery_id: String(log.deliveries[0]?.delivery_id),
      fileUrl: (await owner.files()).label,
      photoUrl: String(image?.image_url),
    };
  });

  async function likeMissing(id: string, onOwned: RouteCall, onMissing: RouteCall, code: string, by = stranger.client): Promise<void> {
    const comparable = ({ status, code: given, message, data }: ApiResponse<unknown>): unknown => ({ status, code: given, message, data });
    const [found, missing] = [await callRoute(by, id, onOwned), await callRoute(by, id, onMissing)];
    expect(found.code).toBe(code);
    expect(comparable(found)).toEqual(comparable(missing));
    const names = (response: ApiResponse<unknown>): string[] => Object.keys(response.headers).sort();
    expect(names(found)).toEqual(names(missing));
  }

  const outOfReach: Neighbours['outOfReach'] = (id, read, paths, body) => async () => {
    const [path, missing] = await paths();
    const call = (one: RouteCall['path']): RouteCall => ({ ...(one && { path: one }), ...(body !== undefined && { body }) });
    const readOwn = () => expectRoute(owner.client, read, path === undefined ? {} : { path });
    const before = await readOwn();
    await likeMissing(id, call(path), call(missing), '40403');
    expect(await readOwn()).toEqual(before);
  };

  return { stage, owner, stranger, owned, likeMissing, outOfReach };
}
