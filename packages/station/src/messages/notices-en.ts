import type { NoticeKey } from '../domain/notice.ts';

/** What is said about the last line. @param value what it is about @param detail what else is said of it, such as a quantity */
export type Notices = Readonly<Record<NoticeKey, (value: string, detail: string) => string>>;

/** Lines that were typed ahead of a correction. */
const notTaken = (lines: string): string => (lines === '' ? '' : ` Not taken: ${lines}.`);

/** What the bench says in English. */
export const notices: Notices = {
  scanFirst: () => 'Scan a parcel first.',
  noNumber: (value) => `“${value}” is no number of a parcel.`,
  chooseNumber: () => 'Type one of the numbers shown.',
  enterConfirms: () => 'Press Enter if it is this parcel. Otherwise scan another number of it, or press Esc.',
  productOffline: (value) =>
    `“${value}” is the code of a product, which cannot be looked up without a network. Scan the carrier’s number or the label of the platform.`,
  productNumber: (value) => `“${value}” is the code of a product: no parcel is reported under it. Scan the carrier’s number.`,
  carriersNumber: (value) => `“${value}” looks like the code of a product. Is it the carrier’s number? Enter confirms; Esc goes back.`,
  sameParcel: (value) => `${value} is on the bench already.`,
  itemOfParcel: (value) => `${value} is in this parcel. Press N to count, or Esc to put the parcel aside.`,
  finishFirst: (value) => `${value} is not finished. Finish it, or press Esc to put it aside.`,
  scanRefused: (value, detail) =>
    `“${detail}” is not taken: ${value} is not finished. Now only Enter, to finish it, or Esc, to put it aside.`,
  refusedAtWeight: (value, detail) =>
    `“${detail}” is not taken: ${value} is still on the bench. Press Enter, then type the weight; or Esc to put it aside.`,
  refusedAtSize: (value, detail) =>
    `“${detail}” is not taken: ${value} is still on the bench. Press Enter, then type the size; or Esc to put it aside.`,
  notKnown: (value, detail) =>
    `“${detail}” is not known, and ${value} is still on the bench. Press Enter to go on with it; or Esc, then scan again.`,
  noWeight: (value) => `No weight: “${value}”. Type it such as 1.25 or 800 g.`,
  ambiguousWeight: (value, detail) =>
    `“${value}” may be ${detail} or a thousand times as much. Type the unit with it, such as ${detail} kg.`,
  measureBeforeScan: (value) => `“${value}” looks like a weight or a size. Scan a parcel first: its label, or the number of the carrier.`,
  measureBeforeYes: (value) => `“${value}” is not taken. Press Enter first if it is this parcel; or scan another number, or press Esc.`,
  measureBeforeChoice: (value) => `“${value}” looks like a weight or a size. First type one of the numbers shown, or scan another number.`,
  badSize: (value) => `Three numbers, such as 30x20x10, each above 0 and at most ${value} cm.`,
  typeWeight: () => 'Type the weight, such as 1.25, or Esc to put the parcel aside.',
  typeSize: () => 'Type all three sides, such as 30x20x10.',
  heavy: (value) => `${value}? Type the unit too if that is right.`,
  bigSide: (value) => `${value}: is that right? Type the size again if not.`,
  scaleMoving: () => 'The scale is still moving.',
  noDocument: () => 'This parcel has no such document.',
  documentUnknown: () => 'The documents of this parcel are not known here: the platform cannot be reached.',
  documentUnchecked: () =>
    'The platform cannot be reached. This document may be old: the merchant may have corrected the parcel since it was read.',
  documentAwaited: () => 'The document is being made for the corrected parcel. One moment…',
  documentNotReady: (_value, detail) => `The document is still being made, and was not printed. Try again in a moment.${notTaken(detail)}`,
  corrected: (value, detail) => `${value} was corrected by the merchant.${notTaken(detail)}`,
  correctedFirst: (value) => `${value} was corrected by the merchant. Print its documents again, or press O when you have seen it.`,
  confirmCorrected: () => 'The merchant has corrected this parcel. D dispatches it as it is, Esc goes back to print again.',
  notCorrected: () => 'This parcel was not corrected.',
  dispatchUnchecked: () => 'Reported: Dispatch. The platform could not be asked whether the merchant has corrected the parcel.',
  noDispatch: () => 'Goods of a stock replenishment stay in the warehouse: put them away.',
  releaseFirst: (value) => `${value} is on hold and is not dispatched. H releases it first.`,
  cancelledParcel: (value) => `The merchant has cancelled ${value}. Do not weigh or send it: Esc puts it aside.`,
  badCarrier: () => 'A carrier code has letters, digits, dots and hyphens.',
  badTrackingNumber: () => 'A number of a carrier has 4 to 64 characters.',
  escapeAgain: () => 'Press Esc again to discard what was entered for this parcel.',
  tooManyPhotos: () => 'This parcel has as many photos as it can have.',
  cannotCount: () => 'The items are not known here: count the parcel once the network is back.',
  counted: (value, detail) => `${value}: ${detail}`,
  countedMore: (value, detail) => `${value}: ${detail}, more than forecast`,
  countRight: (value) => `Counted ${value}: all as forecast.`,
  countDiffers: (value, detail) => `Counted ${value}: difference ${detail}. It is reported with the parcel; N goes on counting.`,
  countForgotten: () => 'The count begins anew.',
  countSeveral: (value) => `Several items have the code ${value}. Type # and the line, such as #2.`,
  countScanFirst: () => 'Scan an item first, or type # and its line, such as #2.',
  countTooMany: (value) => `At most ${value} can be counted.`,
  countFirst: () => 'Scan an item or type a number. Enter ends the count.',
  notOfParcel: (value) => `${value} is not in this forecast. Scan it again to count it all the same.`,
  arrived: (value) => `${value} has arrived.`,
  arrivedUnknown: (value) => `${value}: reported as unclaimed. Go on with its weight.`,
  saved: (value, detail) => `${value} is done: ${detail}.`,
  savedUnknown: (value, detail) =>
    `${value} is done: ${detail}. It is unclaimed: it waits for its forecast, or for you to claim it with A.`,
  reported: (value) => `Reported: ${value}.`,
  putAside: (value) => `${value} is put aside, nothing was weighed.`,
  putAsideArrived: (value) => `${value} is put aside, nothing was weighed. Its arrival has been reported and stays.`,
  notWeighed: (value, detail) => `${value} was not weighed; scan it again to go on.${detail === '' ? '' : ` On the bench now: ${detail}.`}`,
  weighedBefore: (value) => `Already weighed: ${value}. A new weight replaces it.`,
  oneMoment: () => 'One moment…',
  whoseFirst: () => 'Scan or type a number of the forecast or of the order. X dismisses the parcel.',
  nobodys: (value) => `No forecast of this warehouse fits ${value}. Scan another number of it.`,
  enterClaims: () => 'Press Enter to claim it for this forecast, or Esc to choose another one.',
  reasonFirst: () => 'Type why nothing more is done for this parcel.',
  firstPage: () => 'This is the first page.',
  lastPage: () => 'There are no more.',
  notListed: (value) => `${value} is not on this page. Press + and Enter for the next page.`,
  nothingWaits: () => 'Nothing waits. Press Esc to go back.',
  claimed: (value, detail) => `${value} is claimed for ${detail}.`,
  dismissed: (value, detail) => `${value} is dismissed (${detail}).`,
  noSuchForecast: () => 'This warehouse has no such forecast. Nothing was claimed; scan another number.',
  noSuchEvent: () => 'The parcel is no longer in the list: the list was read again.',
  claimedBefore: (value) => `Somebody has already claimed it for ${value}. That stays; the list was read again.`,
  dismissedBefore: () => 'Somebody has already dismissed it. That stays; the list was read again.',
  appliedBefore: (value) => `Its forecast ${value} came meanwhile: it is claimed by itself. The list was read again.`,
  forecastCancelled: () => 'The merchant has cancelled this forecast. Choose another one, or dismiss the parcel with X.',
  claimNoDispatch: () =>
    'The parcel was dispatched, but the goods of this forecast stay in the warehouse. Choose another one, or dismiss it with X.',
  claimOfProduct: (value) =>
    `“${value}” is the code of a product: every parcel with this product would go to this forecast. Dismiss it with X, and weigh the parcel under the carrier’s number.`,
  claimTooMany: () => 'This forecast already has as many parcels as it can have. Choose another one.',
  unclaimedOffline: () => 'Nothing was done: the platform cannot be reached. Try again when the network is back.',
  unclaimedFailed: (value) => `The platform could not do it: ${value}`,
  queueFull: () => 'This device can keep no more reports. Restore the network.',
  notKept: () => 'This device could not keep the report. Try again; if it stays, free some space.',
};
