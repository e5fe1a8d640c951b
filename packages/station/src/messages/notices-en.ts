/** @param value what it is about @param detail a detail, such as a quantity */
type Saying = (value: string, detail: string) => string;

const notTaken = (lines: string): string => (lines === '' ? '' : ` Ignored: ${lines}.`);

const sayings = {
  scanFirst: () => 'Scan a parcel first.',
  noNumber: (value) => `“${value}” is not a parcel number.`,
  chooseNumber: () => 'Type one of the numbers shown.',
  enterConfirms: () => 'If it is this parcel, press Enter. If not, scan another number of it, or press Esc.',
  productOffline: (value) =>
    `“${value}” is a product barcode. It cannot be looked up without a network. Scan the tracking number or the carton label.`,
  productNumber: (value) => `“${value}” is a product barcode. A parcel cannot be reported under it. Scan the tracking number.`,
  carriersNumber: (value) =>
    `“${value}” looks like a product barcode. Is it the tracking number? Press Enter to confirm, or Esc to go back.`,
  sameParcel: (value) => `${value} is already on the bench.`,
  itemOfParcel: (value) => `${value} is in this parcel. Press N to count, or Esc to put the parcel aside.`,
  finishFirst: (value) => `${value} is not finished. Finish it, or press Esc to put it aside.`,
  scanRefused: (value, detail) => `“${detail}” was ignored: ${value} is not finished. Press Enter to finish it, or Esc to put it aside.`,
  refusedAtWeight: (value, detail) =>
    `“${detail}” was ignored: ${value} is still on the bench. Press Enter, then type the weight. Or press Esc to put it aside.`,
  refusedAtSize: (value, detail) =>
    `“${detail}” was ignored: ${value} is still on the bench. Press Enter, then type the size. Or press Esc to put it aside.`,
  notKnown: (value, detail) =>
    `“${detail}” was not found, and ${value} is still on the bench. Press Enter to continue with it. Or press Esc, then scan again.`,
  noWeight: (value) => `“${value}” is not a weight. Type it like 1.25 or 800 g.`,
  ambiguousWeight: (value, detail) =>
    `“${value}” can mean ${detail} or a thousand times as much. Type it with its unit, for example ${detail} kg.`,
  measureBeforeScan: (value) => `“${value}” looks like a weight or a size. Scan a parcel first: its carton label or tracking number.`,
  measureBeforeYes: (value) =>
    `“${value}” was ignored. If it is this parcel, press Enter first. If not, scan another number, or press Esc.`,
  measureBeforeChoice: (value) => `“${value}” looks like a weight or a size. First type one of the numbers shown, or scan another number.`,
  badSize: (value) => `Type three numbers, for example 30x20x10. Each must be greater than 0 and at most ${value} cm.`,
  typeWeight: () => 'Type the weight, for example 1.25, or press Esc to put the parcel aside.',
  typeSize: () => 'Type all three sides, for example 30x20x10.',
  heavy: (value) => `${value}? If it is correct, type it with its unit.`,
  bigSide: (value) => `${value}: is that correct? If not, type the size again.`,
  scaleMoving: () => 'The scale is not stable yet.',
  noDocument: () => 'This parcel has no such document.',
  documentUnknown: () => 'The platform cannot be reached, so the documents of this parcel are not available.',
  documentUnchecked: () => 'The platform cannot be reached. This document may be out of date: the merchant may have corrected the parcel.',
  corrected: (value, detail) => `The merchant corrected ${value}.${notTaken(detail)}`,
  correctedFirst: (value) => `The merchant corrected ${value}. Print its documents again, or press O to confirm that you have seen it.`,
  confirmCorrected: () => 'The merchant corrected this parcel. Press D to dispatch it as it is, or Esc to go back and print again.',
  notCorrected: () => 'This parcel was not corrected.',
  dispatchUnchecked: () => 'Reported: Dispatch. The platform could not be reached to check whether the merchant corrected the parcel.',
  noDispatch: () => 'Stock replenishment goods stay in the warehouse: put them away.',
  releaseFirst: (value) => `${value} is on hold and cannot be dispatched. Press H to release it first.`,
  cancelledParcel: (value) => `The merchant cancelled ${value}. Do not weigh or send it. Press Esc to put it aside.`,
  unknownCarrier: (code) => `No connection names the carrier ${code}. Check the code. Press Enter to use it, or type another one.`,
  badCarrier: () => 'A carrier code consists of letters, digits, dots and hyphens.',
  badTrackingNumber: () => 'A tracking number has 4 to 64 characters.',
  escapeAgain: () => 'Press Esc again to discard what was entered for this parcel.',
  tooManyPhotos: () => 'This parcel has the maximum number of photos.',
  cannotCount: () => 'The items are not available here. Count the parcel when the network is back.',
  counted: (value, detail) => `${value}: ${detail}`,
  countedMore: (value, detail) => `${value}: ${detail}, more than forecast`,
  countRight: (value) => `Counted ${value}: matches the forecast.`,
  countDiffers: (value, detail) => `Counted ${value}: difference ${detail}. It is reported with the parcel. Press N to continue counting.`,
  countForgotten: () => 'The count starts again.',
  countSeveral: (value) => `Several items have the code ${value}. Type # and the line, such as #2.`,
  countScanFirst: () => 'Scan an item first, or type # and its line, such as #2.',
  countTooMany: (value) => `At most ${value} can be counted.`,
  countFirst: () => 'Scan an item or type a number. Press Enter to end the count.',
  notOfParcel: (value) => `${value} is not in this forecast. Scan it again to count it anyway.`,
  arrived: (value) => `${value} has arrived.`,
  arrivedUnknown: (value) => `${value}: reported as unclaimed. Continue with its weight.`,
  saved: (value, detail) => `${value} is done: ${detail}.`,
  savedUnknown: (value, detail) => `${value} is done: ${detail}. It is unclaimed: it waits for its forecast, or press A to claim it.`,
  reported: (value) => `Reported: ${value}.`,
  putAside: (value) => `${value} was put aside without a weight.`,
  putAsideArrived: (value) => `${value} was put aside without a weight. Its arrival has already been reported.`,
  notWeighed: (value, detail) =>
    `${value} was not weighed. Scan it again to continue.${detail === '' ? '' : ` On the bench now: ${detail}.`}`,
  weighedBefore: (value) => `Already weighed: ${value}. A new weight replaces it.`,
  oneMoment: () => 'Please wait…',
  whoseFirst: () => 'Scan or type a forecast or order number. Press X to dismiss the parcel.',
  nobodys: (value) => `No forecast of this warehouse matches ${value}. Scan another number of the parcel.`,
  enterClaims: () => 'Press Enter to claim it for this forecast, or Esc to choose another one.',
  reasonFirst: () => 'Type the reason for dismissing this parcel.',
  firstPage: () => 'This is the first page.',
  lastPage: () => 'This is the last page.',
  notListed: (value) => `${value} is not on this page. Type + and press Enter for the next page.`,
  nothingWaits: () => 'The list is empty. Press Esc to go back.',
  claimed: (value, detail) => `${value} was claimed for ${detail}.`,
  dismissed: (value, detail) => `${value} was dismissed (${detail}).`,
  noSuchForecast: () => 'This warehouse does not have this forecast. Nothing was claimed. Scan another number.',
  noSuchEvent: () => 'The parcel is no longer in the list. The list has been refreshed.',
  claimedBefore: (value) => `Somebody has already claimed it for ${value}. Nothing was changed. The list has been refreshed.`,
  dismissedBefore: () => 'Somebody has already dismissed it. Nothing was changed. The list has been refreshed.',
  appliedBefore: (value) => `Its forecast ${value} has arrived, and its reports were applied to it. The list has been refreshed.`,
  forecastCancelled: () => 'The merchant cancelled this forecast. Choose another one, or press X to dismiss the parcel.',
  claimNoDispatch: () =>
    'The parcel was dispatched, but the goods of this forecast stay in the warehouse. Choose another one, or press X to dismiss the parcel.',
  claimOfProduct: (value) =>
    `“${value}” is a product barcode: every parcel with this product would be claimed for this forecast. Press X to dismiss it, then weigh the parcel under its tracking number.`,
  claimTooMany: () => 'This forecast has the maximum number of parcels. Choose another one.',
  unclaimedOffline: () => 'Nothing was changed: the platform cannot be reached. Try again when the network is back.',
  unclaimedFailed: (value) => `The request failed: ${value}`,
  queueFull: () => 'The storage of this device is full. Restore the network.',
  notKept: () => 'This device could not save the report. Try again. If this continues, free some storage space.',
} satisfies Record<string, Saying>;

export type NoticeKey = keyof typeof sayings;

export type Notices = Readonly<Record<NoticeKey, Saying>>;

export const notices: Notices = sayings;
