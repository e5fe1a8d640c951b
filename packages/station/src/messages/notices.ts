import type { Both } from '@parcelway/page/languages';

/** What a notice says. @param value what it is about, `{0}` of a text @param detail a detail, such as a quantity, `{1}` of a text */
type Saying = (value: string, detail: string) => string;
const notTaken = (lines: string): string => (lines === '' ? '' : ` Ignored: ${lines}.`);
const notTakenZh = (lines: string): string => (lines === '' ? '' : `未接受：${lines}。`);

const sayings = {
  scanFirst: ['Scan a parcel first.', '请先扫描包裹。'],
  noNumber: ['“{0}” is not a parcel number.', '“{0}”不是包裹号码。'],
  chooseNumber: ['Type one of the numbers shown.', '请输入所显示的序号。'],
  enterConfirms: [
    'If it is this parcel, press Enter. If not, scan another number of it, or press Esc.',
    '如是此包裹，请按 Enter。否则请扫描其他号码，或按 Esc。',
  ],
  productOffline: [
    '“{0}” is a product barcode. It cannot be looked up without a network. Scan the tracking number or the carton label.',
    '“{0}”是商品条码，没有网络时无法查询。请扫描承运商单号或平台箱标。',
  ],
  productNumber: [
    '“{0}” is a product barcode. A parcel cannot be reported under it. Scan the tracking number.',
    '“{0}”是商品条码：不能以此上报包裹。请扫描承运商单号。',
  ],
  carriersNumber: [
    '“{0}” looks like a product barcode. Is it the tracking number? Press Enter to confirm, or Esc to go back.',
    '“{0}”像是商品条码。它是承运商单号吗？按 Enter 确认；按 Esc 返回。',
  ],
  sameParcel: ['{0} is already on the bench.', '{0} 已在工作台上。'],
  itemOfParcel: [
    '{0} is in this parcel. Press N to count, or Esc to put the parcel aside.',
    '{0} 在此包裹之中。按 N 清点，或按 Esc 搁置此包裹。',
  ],
  finishFirst: ['{0} is not finished. Finish it, or press Esc to put it aside.', '{0} 尚未完成。请完成，或按 Esc 搁置。'],
  scanRefused: [
    '“{1}” was ignored: {0} is not finished. Press Enter to finish it, or Esc to put it aside.',
    '未接受“{1}”：{0} 尚未完成。现在只能按 Enter 完成，或按 Esc 搁置。',
  ],
  refusedAtWeight: [
    '“{1}” was ignored: {0} is still on the bench. Press Enter, then type the weight. Or press Esc to put it aside.',
    '未接受“{1}”：{0} 仍在工作台上。按 Enter 后输入重量；或按 Esc 搁置。',
  ],
  refusedAtSize: [
    '“{1}” was ignored: {0} is still on the bench. Press Enter, then type the size. Or press Esc to put it aside.',
    '未接受“{1}”：{0} 仍在工作台上。按 Enter 后输入尺寸；或按 Esc 搁置。',
  ],
  notKnown: [
    '“{1}” was not found, and {0} is still on the bench. Press Enter to continue with it. Or press Esc, then scan again.',
    '未找到“{1}”，{0} 仍在工作台上。按 Enter 继续处理；或按 Esc 后重新扫描。',
  ],
  noWeight: ['“{0}” is not a weight. Type it like 1.25 or 800 g.', '不是重量：“{0}”。请输入例如 1.25 或 800 g。'],
  ambiguousWeight: [
    '“{0}” can mean {1} or a thousand times as much. Type it with its unit, for example {1} kg.',
    '“{0}”可能是 {1}，也可能是其一千倍。请连同单位一起输入，例如 {1} kg。',
  ],
  measureBeforeScan: [
    '“{0}” looks like a weight or a size. Scan a parcel first: its carton label or tracking number.',
    '“{0}”像是重量或尺寸。请先扫描包裹：其箱标或承运商单号。',
  ],
  measureBeforeYes: [
    '“{0}” was ignored. If it is this parcel, press Enter first. If not, scan another number, or press Esc.',
    '未接受“{0}”。如是此包裹，请先按 Enter；否则请扫描其他号码，或按 Esc。',
  ],
  measureBeforeChoice: [
    '“{0}” looks like a weight or a size. First type one of the numbers shown, or scan another number.',
    '“{0}”像是重量或尺寸。请先输入所显示的序号，或扫描其他号码。',
  ],
  badSize: [
    'Type three numbers, for example 30x20x10. Each must be greater than 0 and at most {0} cm.',
    '请输入三个数，例如 30x20x10，每个大于 0 且不超过 {0} 厘米。',
  ],
  typeWeight: ['Type the weight, for example 1.25, or press Esc to put the parcel aside.', '请输入重量，例如 1.25，或按 Esc 搁置此包裹。'],
  typeSize: ['Type all three sides, for example 30x20x10.', '请输入三条边，例如 30x20x10。'],
  heavy: ['{0}? If it is correct, type it with its unit.', '{0}？如无误，请连同单位一起输入。'],
  bigSide: ['{0}: is that correct? If not, type the size again.', '{0}：是否正确？如有误请重新输入尺寸。'],
  scaleMoving: ['The scale is not stable yet.', '电子秤尚未稳定。'],
  noDocument: ['This parcel has no such document.', '此包裹没有该单据。'],
  documentUnknown: [
    'The platform cannot be reached, so the documents of this parcel are not available.',
    '无法连接平台，此包裹的单据不可用。',
  ],
  documentUnchecked: [
    'The platform cannot be reached. This document may be out of date: the merchant may have corrected the parcel.',
    '无法连接平台。此单据可能已过时：商家可能已更正此包裹。',
  ],
  corrected: [
    (value, detail) => `The merchant corrected ${value}.${notTaken(detail)}`,
    (value, detail) => `商家已更正 ${value}。${notTakenZh(detail)}`,
  ],
  correctedFirst: [
    'The merchant corrected {0}. Print its documents again, or press O to confirm that you have seen it.',
    '商家已更正 {0}。请重新打印单据，或按 O 表示已知悉。',
  ],
  confirmCorrected: [
    'The merchant corrected this parcel. Press D to dispatch it as it is, or Esc to go back and print again.',
    '商家已更正此包裹。按 D 按现状发货，按 Esc 返回重新打印。',
  ],
  notCorrected: ['This parcel was not corrected.', '此包裹未被更正。'],
  dispatchUnchecked: [
    'Reported: Dispatch. The platform could not be reached to check whether the merchant corrected the parcel.',
    '已上报：发货。无法向平台确认商家是否更正了此包裹。',
  ],
  noDispatch: ['Stock replenishment goods stay in the warehouse: put them away.', '备货入仓的货物留在仓库：请上架。'],
  releaseFirst: ['{0} is on hold and cannot be dispatched. Press H to release it first.', '{0} 已扣留，不能发货。请先按 H 放行。'],
  cancelledParcel: [
    'The merchant cancelled {0}. Do not weigh or send it. Press Esc to put it aside.',
    '商家已取消 {0}，请勿称重或发货。请按 Esc 搁置。',
  ],
  unknownCarrier: [
    'No connection names the carrier {0}. Check the code. Press Enter to use it, or type another one.',
    '没有任何连接使用承运商代码 {0}，请核对。按 Enter 仍然使用，或输入其他代码。',
  ],
  badCarrier: ['A carrier code consists of letters, digits, dots and hyphens.', '承运商代码由字母、数字、点和连字符组成。'],
  badTrackingNumber: ['A tracking number has 4 to 64 characters.', '承运商单号为 4 至 64 个字符。'],
  escapeAgain: ['Press Esc again to discard what was entered for this parcel.', '再按一次 Esc 将放弃此包裹已录入的内容。'],
  tooManyPhotos: ['This parcel has the maximum number of photos.', '此包裹的照片已达上限。'],
  cannotCount: ['The items are not available here. Count the parcel when the network is back.', '商品信息不可用：请在网络恢复后清点。'],
  counted: ['{0}: {1}', '{0}：{1}'],
  countedMore: ['{0}: {1}, more than forecast', '{0}：{1}，多于预报'],
  countRight: ['Counted {0}: matches the forecast.', '清点 {0}：与预报一致。'],
  countDiffers: [
    'Counted {0}: difference {1}. It is reported with the parcel. Press N to continue counting.',
    '清点 {0}：差异 {1}。将随此包裹上报；按 N 继续清点。',
  ],
  countForgotten: ['The count starts again.', '重新开始清点。'],
  countSeveral: ['Several items have the code {0}. Type # and the line, such as #2.', '多个商品有编码 {0}。请输入 # 和行号，例如 #2。'],
  countScanFirst: ['Scan an item first, or type # and its line, such as #2.', '请先扫描商品，或输入 # 和行号，例如 #2。'],
  countTooMany: ['At most {0} can be counted.', '最多清点 {0}。'],
  countFirst: ['Scan an item or type a number. Press Enter to end the count.', '请扫描商品或输入数量。按 Enter 结束清点。'],
  notOfParcel: ['{0} is not in this forecast. Scan it again to count it anyway.', '{0} 不在此预报中。如仍要计入，请再扫描一次。'],
  arrived: ['{0} has arrived.', '{0} 已到仓。'],
  arrivedUnknown: ['{0}: reported as unclaimed. Continue with its weight.', '{0}：已按无主包裹上报。请继续称重。'],
  saved: ['{0} is done: {1}.', '{0} 已完成：{1}。'],
  savedUnknown: [
    '{0} is done: {1}. It is unclaimed: it waits for its forecast, or press A to claim it.',
    '{0} 已完成：{1}。暂无归属：等待其预报，或按 A 认领。',
  ],
  reported: ['Reported: {0}.', '已上报：{0}。'],
  putAside: ['{0} was put aside without a weight.', '{0} 已搁置，未称重。'],
  putAsideArrived: [
    '{0} was put aside without a weight. Its arrival has already been reported.',
    '{0} 已搁置，未称重。其到仓已上报，保持不变。',
  ],
  notWeighed: [
    (value, detail) => `${value} was not weighed. Scan it again to continue.${detail === '' ? '' : ` On the bench now: ${detail}.`}`,
    (value, detail) => `${value} 尚未称重；再次扫描即可继续。${detail === '' ? '' : `当前工作台：${detail}。`}`,
  ],
  weighedBefore: ['Already weighed: {0}. A new weight replaces it.', '已称重：{0}。新的重量将取代它。'],
  oneMoment: ['Please wait…', '请稍候…'],
  whoseFirst: [
    'Scan or type a forecast or order number. Press X to dismiss the parcel.',
    '请扫描或输入预报号或 PO 单号。按 X 放弃此包裹。',
  ],
  nobodys: ['No forecast of this warehouse matches {0}. Scan another number of the parcel.', '本仓库没有预报与 {0} 相符。请扫描其他号码。'],
  enterClaims: ['Press Enter to claim it for this forecast, or Esc to choose another one.', '按 Enter 认领到此预报，或按 Esc 另选。'],
  reasonFirst: ['Type the reason for dismissing this parcel.', '请输入放弃此包裹的原因。'],
  firstPage: ['This is the first page.', '已是第一页。'],
  lastPage: ['This is the last page.', '已是最后一页。'],
  notListed: ['{0} is not on this page. Type + and press Enter for the next page.', '{0} 不在本页。输入 + 并按 Enter 查看下一页。'],
  nothingWaits: ['The list is empty. Press Esc to go back.', '列表为空。请按 Esc 返回。'],
  claimed: ['{0} was claimed for {1}.', '{0} 已认领到 {1}。'],
  dismissed: ['{0} was dismissed ({1}).', '{0} 已放弃（{1}）。'],
  noSuchForecast: [
    'This warehouse does not have this forecast. Nothing was claimed. Scan another number.',
    '本仓库没有此预报，未认领。请扫描其他号码。',
  ],
  noSuchEvent: ['The parcel is no longer in the list. The list has been refreshed.', '此包裹已不在列表中，列表已刷新。'],
  claimedBefore: [
    'Somebody has already claimed it for {0}. Nothing was changed. The list has been refreshed.',
    '已有人将其认领到 {0}，保持不变。列表已刷新。',
  ],
  dismissedBefore: [
    'Somebody has already dismissed it. Nothing was changed. The list has been refreshed.',
    '已有人放弃此包裹，保持不变。列表已刷新。',
  ],
  appliedBefore: [
    'Its forecast {0} has arrived, and its reports were applied to it. The list has been refreshed.',
    '其预报 {0} 已到，记录已归入该预报。列表已刷新。',
  ],
  forecastCancelled: [
    'The merchant cancelled this forecast. Choose another one, or press X to dismiss the parcel.',
    '商家已取消此预报。请另选，或按 X 放弃此包裹。',
  ],
  claimNoDispatch: [
    'The parcel was dispatched, but the goods of this forecast stay in the warehouse. Choose another one, or press X to dismiss the parcel.',
    '此包裹已发货，但此预报的货物应留在仓库。请另选，或按 X 放弃。',
  ],
  claimOfProduct: [
    '“{0}” is a product barcode: every parcel with this product would be claimed for this forecast. Press X to dismiss it, then weigh the parcel under its tracking number.',
    '“{0}”是商品的编码：含此商品的包裹都会归到此预报。请按 X 放弃，并用承运商单号重新称重。',
  ],
  claimTooMany: ['This forecast has the maximum number of parcels. Choose another one.', '此预报的包裹数已达上限。请另选。'],
  unclaimedOffline: [
    'Nothing was changed: the platform cannot be reached. Try again when the network is back.',
    '未执行：无法连接平台。请在网络恢复后重试。',
  ],
  unclaimedFailed: ['The request failed: {0}', '请求失败：{0}'],
  queueFull: ['The storage of this device is full. Restore the network.', '本设备的存储已满。请恢复网络。'],
  notKept: [
    'This device could not save the report. Try again. If this continues, free some storage space.',
    '本设备未能保存该记录。请重试；如仍失败，请清理存储空间。',
  ],
} satisfies Record<string, Both<string | Saying>>;

export type NoticeKey = keyof typeof sayings;
export const notices: Readonly<Record<NoticeKey, Both<string | Saying>>> = sayings;
